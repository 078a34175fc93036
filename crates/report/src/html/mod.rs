//! The report as one HTML file that asks the network for nothing.

mod compared;
mod findings;
mod games;
mod moves;
pub(crate) mod openings;
mod overview;
mod read;
pub(crate) mod sheet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::figures::{Figures, Grade, Range, Sheet};
use crate::men::symbols;
use crate::text;

/// The whole page. The same figures give the same bytes.
pub fn html(figures: &Figures) -> String {
    let title = format!("{}: Nabsak report", text::clean(&figures.run.job));
    let body = html! {
        (overview::section(figures))
        (read::section(figures))
        (findings::section(figures))
        (games::results(figures))
        (games::counts(figures))
        (compared::section(figures))
        (moves::section(figures))
        (openings::moves(figures))
        (openings::formations(figures))
        (overview::run_facts(figures))
        (sheet::section(figures))
    };
    document(&title, &body)
}

/// One game's sheet as a page of its own.
pub fn sheet_html(sheet: &Sheet) -> String {
    let title = format!("{}: game sheet", text::clean(&players(sheet)));
    document(&title, &sheet::sheet(sheet))
}

pub(crate) fn document(title: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                // Nothing may be fetched, whatever an archive smuggles into a name.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                meta name="generator" content="nabsak";
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                svg width="0" height="0" style="position:absolute" aria-hidden="true" { (PreEscaped(symbols())) }
                div.wrap {
                    (body)
                    footer {
                        "Made by Nabsak. Findings say how sure they are: "
                        b { "proved" } " follows from the record and the rules, " b { "possible" }
                        " rests on something the record does not say or that sources read differently."
                    }
                }
            }
        }
    }
    .into_string()
}

/// Foreign text, escaped by maud and kept from turning the writing round it.
pub(crate) fn foreign(value: &str) -> Markup {
    html! { bdi { (text::clean(value)) } }
}

pub(crate) fn foreign_or_dash(value: Option<&str>) -> Markup {
    match value {
        Some(value) => foreign(value),
        None => html! { span.soft { "–" } },
    }
}

pub(crate) fn badge(grade: Grade) -> Markup {
    html! { span class={ "badge g-" (grade.as_str()) } { (grade.as_str()) } }
}

fn players(sheet: &Sheet) -> String {
    let name = |player: &Option<String>| player.clone().unwrap_or_else(|| "?".to_owned());
    format!("{} – {}", name(&sheet.white), name(&sheet.black))
}

pub(crate) fn range(value: Option<Range>) -> String {
    value.map_or_else(
        || "–".to_owned(),
        |range| format!("{:.0}–{:.0} %", 100.0 * range.low, 100.0 * range.high),
    )
}

/// What a capped list leaves out.
fn more(shown: usize, total: u64, things: &str) -> Markup {
    html! {
        @if (shown as u64) < total {
            p.meta { "Showing " (text::number(shown as u64)) " of " (text::number(total)) " " (things) "; the tables hold all of them." }
        }
    }
}

pub(crate) fn tile(class: &str, value: &str, label: &str) -> Markup {
    html! { div class={ "tile " (class) } { b { (value) } span { (label) } } }
}

/// Where the sheet of a game stands on the page.
fn anchor(game_id: &str) -> String {
    format!(
        "game-{}",
        game_id
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{ATTACK, sample};

    #[test]
    fn foreign_text_is_escaped_everywhere() {
        let page = html(&sample());
        assert!(!page.contains("<script"), "a name became markup");
        assert!(!page.contains("<b>2567</b>"));
        assert!(page.contains("&lt;script&gt;alert('x')&lt;/script&gt; &amp; &quot;Som&quot;"));
        assert!(ATTACK.contains("<script>"));
    }

    #[test]
    fn nothing_is_fetched() {
        let page = html(&sample());
        for word in [
            "http://", "https://", "src=", "url(", "@import", "<link", "<iframe", "<object",
        ] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("default-src 'none'"));
    }

    #[test]
    fn every_link_has_its_place() {
        let page = html(&sample());
        for link in page
            .split("href=\"#")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
        {
            assert!(page.contains(&format!("id=\"{link}\"")), "{link}");
        }
    }

    #[test]
    fn what_nobody_compared_has_no_section() {
        let page = html(&sample());
        assert!(page.contains("<h2 id=\"compared\">") && page.contains("<code>pieces_end</code>"));
        assert!(!html(&Figures::default()).contains("Rule sets compared"));
    }

    #[test]
    fn a_capped_list_says_so() {
        let page = html(&sample());
        assert!(page.contains("the 2 worst of 12"));
        assert!(page.contains("Showing 3 of 61 findings"));
    }

    #[test]
    fn the_same_figures_give_the_same_page() {
        assert_eq!(html(&sample()), html(&sample()));
    }

    #[test]
    fn nothing_at_all_is_still_a_page() {
        let page = html(&Figures::default());
        assert!(page.contains("Nothing was found.") && page.ends_with("</html>"));
    }

    #[test]
    fn a_sheet_stands_alone() {
        let page = sheet_html(&sample().sheets[1]);
        assert!(
            page.contains("Count by ply") && page.contains("id=\"wR\"") && page.contains("Mongkut")
        );
    }
}
