//! The tags of a game, in one piece of memory.

/// One tag as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawTag<'a> {
    /// The name as written; compare with [`RawTag::is`].
    pub name: &'a str,
    /// The value, decoded, with `\"` and `\\` undone and nothing trimmed.
    pub value: &'a str,
    /// Where the `[` stands in the raw game.
    pub offset: u32,
}

impl RawTag<'_> {
    /// Whether the tag has this name, whatever its case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// All tags of a game, repeated ones too, in the order of the text.
#[derive(Clone, Default)]
pub struct Tags {
    /// Names and values, one behind another, and whatever stands between them.
    text: String,
    spans: Vec<Span>,
    /// A bit for each name, by [`mark_of`]: a name without its bit is not there.
    names: u64,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    name: u32,
    name_end: u32,
    value: u32,
    value_end: u32,
    offset: u32,
    mark: u8,
}

impl Tags {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// One after another.
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            text: &self.text,
            spans: self.spans.iter(),
        }
    }

    /// The first tag of a name, whatever its case.
    #[inline]
    pub fn get(&self, name: &str) -> Option<RawTag<'_>> {
        let mark = mark_of(name.as_bytes());
        match self.names >> mark & 1 {
            0 => None,
            _ => self.find(name, mark),
        }
    }

    fn find(&self, name: &str, mark: u8) -> Option<RawTag<'_>> {
        let mut marked = self.spans.iter().filter(|span| span.mark == mark);
        // Nearly all names are written as they are asked for.
        let is = |tag: &RawTag<'_>| tag.name == name || tag.is(name);
        marked.find_map(|span| Some(span.read(&self.text)).filter(is))
    }

    /// Whether one of the first `among` tags has the name, whatever its case.
    pub(crate) fn has_among(&self, name: &str, among: usize) -> bool {
        self.names >> mark_of(name.as_bytes()) & 1 == 1
            && self.iter().take(among).any(|tag| tag.is(name))
    }

    pub(crate) fn with_capacity(tags: usize) -> Self {
        Tags {
            text: String::with_capacity(tags * 24),
            spans: Vec::with_capacity(tags),
            names: 0,
        }
    }

    pub(crate) fn push(&mut self, name: &str, value: &str, offset: u32) {
        let start = self.text.len();
        self.text.push_str(name);
        self.text.push_str(value);
        self.add(
            (start, start + name.len()),
            (start + name.len(), self.text.len()),
            offset,
        );
    }

    /// As [`Tags::push`], for a tag that is a piece of text as it stands: its name comes first, its value last.
    pub(crate) fn push_written(&mut self, piece: &str, name: usize, value: usize, offset: u32) {
        let start = self.text.len();
        self.text.push_str(piece);
        self.add(
            (start, start + name),
            (start + value, self.text.len()),
            offset,
        );
    }

    fn add(&mut self, name: (usize, usize), value: (usize, usize), offset: u32) {
        let mark = mark_of(&self.text.as_bytes()[name.0..name.1]);
        self.names |= 1 << mark;
        // A game is shorter than 1 GiB: the cutter's limit.
        self.spans.push(Span {
            name: name.0 as u32,
            name_end: name.1 as u32,
            value: value.0 as u32,
            value_end: value.1 as u32,
            offset,
            mark,
        });
    }

    /// Appends the tags of a text that is read elsewhere; `place` says where an offset in it lies here.
    pub(crate) fn append(&mut self, others: &Tags, place: impl Fn(u32) -> u32) {
        for tag in others {
            self.push(tag.name, tag.value, place(tag.offset));
        }
    }

    /// Puts each offset where `place` says.
    pub(crate) fn relocate(&mut self, mut place: impl FnMut(u32) -> u32) {
        for span in &mut self.spans {
            span.offset = place(span.offset);
        }
    }
}

/// A number below 64 for a name; the same for all ways of writing its letters large or small. The factors are such that no
/// two of the usual names share one.
#[inline]
fn mark_of(name: &[u8]) -> u8 {
    let [first, .., last] = name else {
        return 0;
    };
    let letter = |byte: u8| u32::from(byte | 0x20);
    let middle = name[name.len() / 2];
    let mixed = letter(*first) + 3 * letter(*last) + 3 * letter(middle) + 4 * name.len() as u32;
    (mixed % 64) as u8
}

impl Span {
    fn read<'a>(&self, text: &'a str) -> RawTag<'a> {
        RawTag {
            name: &text[self.name as usize..self.name_end as usize],
            value: &text[self.value as usize..self.value_end as usize],
            offset: self.offset,
        }
    }
}

/// The tags of a game in order.
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    text: &'a str,
    spans: std::slice::Iter<'a, Span>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = RawTag<'a>;

    fn next(&mut self) -> Option<RawTag<'a>> {
        Some(self.spans.next()?.read(self.text))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.spans.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Tags {
    type Item = RawTag<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl PartialEq for Tags {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl Eq for Tags {}

impl std::fmt::Debug for Tags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_name_counts() {
        let mut tags = Tags::default();
        tags.push("White", "สมชาย", 3);
        tags.push_written("Black \"x", 5, 7, 20);
        tags.push("WHITE", "y", 40);
        tags.push("", "", 50);
        let all: Vec<_> = tags
            .iter()
            .map(|tag| (tag.name, tag.value, tag.offset))
            .collect();
        let want = [
            ("White", "สมชาย", 3),
            ("Black", "x", 20),
            ("WHITE", "y", 40),
            ("", "", 50),
        ];
        assert_eq!(all, want);
        assert_eq!(tags.get("white").map(|tag| tag.offset), Some(3));
        assert_eq!(tags.get("BLACK").map(|tag| tag.value), Some("x"));
        assert_eq!(tags.get("Whit"), None);
        assert_eq!(tags.get("Result"), None);
        assert_eq!(tags.get("").map(|tag| tag.offset), Some(50));
    }
}
