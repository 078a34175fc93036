//! Who judges what: which rule set each game is replayed under, and whether that is bound or assumed.

use std::collections::BTreeMap;
use std::sync::Arc;

use archive::Dialect;
use notation::read::Numbering;
use rules::{Authority, Ruleset, RulesetError, RulesetId, Variant};

use crate::variant::fold;

/// The job's `[rules]`: which rule set judges which variant, what sources stand for, what an unnamed game is.
///
/// Where a game is bound to a rule set (by the job, by its source, or by its own `RuleSet` tag), that one alone decides.
/// Otherwise the variant's default decides, and findings that other readings of the rules would not share are `possible`.
#[derive(Debug, Clone)]
pub struct Judge {
    known: BTreeMap<String, Arc<Ruleset>>,
    defaults: [Ruling; 3],
    sources: Vec<SourceRule>,
    default_variant: Option<Variant>,
    compared: Vec<Arc<Ruleset>>,
    numbering: Option<Numbering>,
    nameless: bool,
}

/// A rule set, and whether a game is bound to it.
#[derive(Debug, Clone)]
pub struct Ruling {
    /// The rule set that judges.
    pub rules: Arc<Ruleset>,
    /// Whether the record, its source or the job says that this is the one.
    pub bound: bool,
}

/// Games of one source: every condition that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceRule {
    /// Part of the `Site` tag, compared without case.
    pub site: Option<String>,
    /// The dialect.
    pub dialect: Option<Dialect>,
    /// Pattern of the archive's path: `*` stands for any text.
    pub path: Option<String>,
    /// What an unnamed game of this source is.
    pub variant: Option<Variant>,
    /// The rule set that binds its games of that rule set's variant.
    pub rule_set: Option<RulesetId>,
}

/// A judge that cannot be appointed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The rule set is not known.
    #[error("rule set `{0}` is not known; known are {1}")]
    Unknown(RulesetId, String),
    /// The rule set is of another game.
    #[error("rule set `{rule_set}` is for {of}, not for {wanted}")]
    OtherGame {
        /// The rule set.
        rule_set: RulesetId,
        /// Its game.
        of: &'static str,
        /// The game it was to judge.
        wanted: &'static str,
    },
    /// A rule set that comes with the program could not be read.
    #[error(transparent)]
    Rules(#[from] RulesetError),
}

/// What a record itself says about its game, as far as it matters to a judge.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Source<'a> {
    pub(crate) site: Option<&'a str>,
    pub(crate) dialect: Option<Dialect>,
    pub(crate) archive: &'a str,
}

const VARIANTS: [Variant; 3] = [Variant::Makruk, Variant::Ouk, Variant::KarOuk];

fn slot(variant: Variant) -> usize {
    match variant {
        Variant::Makruk => 0,
        Variant::Ouk => 1,
        Variant::KarOuk => 2,
    }
}

impl Default for Judge {
    /// Our own profiles, unbound, and the built-in sources.
    fn default() -> Judge {
        Judge::new().expect("the rule sets that come with the program are read in its tests")
    }
}

impl Judge {
    /// Our own profiles, unbound, and the built-in sources: programs that know one game only; games of Ttakji and ChessPlayX are
    /// bound to their sites' own rule sets where those are known.
    pub fn new() -> Result<Judge, JudgeError> {
        let mut known = BTreeMap::new();
        for &id in Ruleset::builtin_ids() {
            known.insert(id.to_owned(), Ruleset::builtin(id)?);
        }
        let default = |variant: Variant| -> Result<Ruling, JudgeError> {
            Ok(Ruling {
                rules: Ruleset::builtin(variant.as_str())?,
                bound: false,
            })
        };
        Ok(Judge {
            defaults: [
                default(VARIANTS[0])?,
                default(VARIANTS[1])?,
                default(VARIANTS[2])?,
            ],
            known,
            sources: built_in_sources(),
            default_variant: None,
            compared: Vec::new(),
            numbering: None,
            nameless: false,
        })
    }

    /// Leaves the hashes out that games, records and moves are called by, for those who only ask whether games are right:
    /// they are all zeros then.
    pub fn nameless(&mut self) -> &mut Judge {
        self.nameless = true;
        self
    }

    pub(crate) fn names_games(&self) -> bool {
        !self.nameless
    }

    /// Makes a rule set known, for example a federation's own file.
    pub fn know(&mut self, rules: Arc<Ruleset>) -> &mut Judge {
        self.known.insert(rules.id().to_string(), rules);
        self
    }

    /// Binds all games of a variant to a rule set.
    pub fn bind(
        &mut self,
        variant: Variant,
        rule_set: &RulesetId,
    ) -> Result<&mut Judge, JudgeError> {
        let rules = self.find(rule_set)?;
        if rules.variant() != variant {
            let (of, wanted) = (rules.variant().as_str(), variant.as_str());
            return Err(JudgeError::OtherGame {
                rule_set: rule_set.clone(),
                of,
                wanted,
            });
        }
        self.defaults[slot(variant)] = Ruling { rules, bound: true };
        Ok(self)
    }

    /// Adds a source; the first source that fits a game decides, and these come before the built-in ones.
    pub fn source(&mut self, source: SourceRule) -> Result<&mut Judge, JudgeError> {
        if let Some(rule_set) = &source.rule_set {
            let rules = self.find(rule_set)?;
            if let Some(wanted) = source.variant.filter(|&variant| variant != rules.variant()) {
                let (of, wanted) = (rules.variant().as_str(), wanted.as_str());
                return Err(JudgeError::OtherGame {
                    rule_set: rule_set.clone(),
                    of,
                    wanted,
                });
            }
        }
        let own = self.sources.len() - built_in_sources().len();
        self.sources.insert(own, source);
        Ok(self)
    }

    /// What a game is that names no variant and comes from no known source.
    pub fn default_variant(&mut self, variant: Option<Variant>) -> &mut Judge {
        self.default_variant = variant;
        self
    }

    /// Which squares bear which numbers in records that number them; `None`: the one way in which all moves are legal.
    pub fn number_squares(&mut self, numbering: Option<Numbering>) -> &mut Judge {
        self.numbering = numbering;
        self
    }

    pub(crate) fn numbering(&self) -> Option<Numbering> {
        self.numbering
    }

    /// The rule sets that can judge, by id.
    pub fn known(&self) -> impl Iterator<Item = &Arc<Ruleset>> {
        self.known.values()
    }

    /// Who judges a variant where the record and its source say nothing.
    pub fn ruling(&self, variant: Variant) -> &Ruling {
        &self.defaults[slot(variant)]
    }

    /// The known rule set of this name.
    pub fn find(&self, rule_set: &RulesetId) -> Result<Arc<Ruleset>, JudgeError> {
        self.named(&rule_set.to_string()).ok_or_else(|| {
            let known: Vec<&str> = self.known.keys().map(String::as_str).collect();
            JudgeError::Unknown(rule_set.clone(), known.join(", "))
        })
    }

    /// The rule set of a name: a known one, or one that comes with the program and has additions.
    pub(crate) fn named(&self, id: &str) -> Option<Arc<Ruleset>> {
        let known = self.known.get(id).map(Arc::clone);
        // Rule sets with additions are too many to list.
        known.or_else(|| Ruleset::builtin(id).ok())
    }

    /// The variant of a game that names none.
    pub(crate) fn variant_of(&self, source: Source<'_>) -> Option<Variant> {
        self.sources
            .iter()
            .find(|rule| rule.variant.is_some() && rule.fits(source))
            .and_then(|rule| rule.variant)
            .or(self.default_variant)
    }

    /// Who judges a game of this variant from this source. The job's own word comes before the source's, the record's
    /// `RuleSet` tag before both defaults.
    pub(crate) fn ruling_for(
        &self,
        variant: Variant,
        source: Source<'_>,
        tag: Option<&Arc<Ruleset>>,
    ) -> Ruling {
        let default = self.ruling(variant);
        if default.bound {
            return default.clone();
        }
        if let Some(rules) = tag.filter(|rules| rules.variant() == variant) {
            return Ruling {
                rules: Arc::clone(rules),
                bound: true,
            };
        }
        let of_source = self
            .sources
            .iter()
            // A source's rule set is of the source's variant.
            .filter(|rule| rule.variant.is_none_or(|of| of == variant))
            .filter(|rule| rule.rule_set.is_some() && rule.fits(source))
            .filter_map(|rule| self.named(rule.rule_set.as_ref()?.as_str()))
            .find(|rules| rules.variant() == variant);
        match of_source {
            Some(rules) => Ruling { rules, bound: true },
            None => default.clone(),
        }
    }

    /// Also judges every game of its variant by this rule set: see [`crate::ReplayedGame::verdicts`]. What a finding says
    /// does not depend on it.
    pub fn compare(&mut self, rules: Arc<Ruleset>) -> &mut Judge {
        let at = self
            .compared
            .partition_point(|known| known.id() < rules.id());
        match self.compared.get_mut(at) {
            Some(known) if known.id() == rules.id() => *known = rules,
            _ => self.compared.insert(at, rules),
        }
        self
    }

    /// The rule sets that games are also judged by, in the order of their names.
    pub fn compared(&self) -> &[Arc<Ruleset>] {
        &self.compared
    }

    /// The other readings of this variant's rules: every known rule set of the game, those of people before those of
    /// engines, each in the order of their names. Only people's decide how sure a finding is.
    pub(crate) fn other_readings(&self, rules: &Ruleset) -> Vec<Arc<Ruleset>> {
        let mut others: Vec<Arc<Ruleset>> = self
            .known
            .values()
            .filter(|other| other.variant() == rules.variant() && other.id() != rules.id())
            .map(Arc::clone)
            .collect();
        others.sort_by_key(|other| is_engine(other));
        others
    }
}

/// Whether a rule set says what an engine does, which is nobody's rule.
pub(crate) fn is_engine(rules: &Ruleset) -> bool {
    rules.authority() == Authority::Engine
}

fn built_in_sources() -> Vec<SourceRule> {
    let site = |site: &str, rule_set: &str, variant| SourceRule {
        site: Some(site.to_owned()),
        variant: Some(variant),
        rule_set: Some(RulesetId::new(rule_set)),
        ..SourceRule::default()
    };
    let mut sources = vec![
        site("ttakji", "makruk-ttakji", Variant::Makruk),
        site("chessplayx", "ouk-chessplayx", Variant::Ouk),
    ];
    sources.extend(OF_DIALECT.iter().map(|&(dialect, variant)| SourceRule {
        dialect: Some(dialect),
        variant: Some(variant),
        ..SourceRule::default()
    }));
    // Lists of positions bear the name of their game in their path, and nowhere else.
    for dialect in [Dialect::Epd, Dialect::Ren] {
        sources.extend(OF_PATH.iter().map(|&(part, variant)| SourceRule {
            dialect: Some(dialect),
            path: Some(format!("*{part}*")),
            variant: Some(variant),
            ..SourceRule::default()
        }));
    }
    sources
}

/// Programs that know one of our games only.
const OF_DIALECT: &[(Dialect, Variant)] = &[
    (Dialect::PlayOk, Variant::Makruk),
    (Dialect::MakrukSf, Variant::Makruk),
    (Dialect::MakrukSfJson, Variant::Makruk),
    (Dialect::OpenMakruk, Variant::Makruk),
    (Dialect::BjMakruk, Variant::Makruk),
    (Dialect::MakrukJs, Variant::Makruk),
    (Dialect::Kpgn, Variant::Ouk),
    (Dialect::Ren, Variant::Ouk),
    (Dialect::KhmerClient, Variant::Ouk),
];

const OF_PATH: &[(&str, Variant)] = &[
    ("karouk", Variant::KarOuk),
    ("kar-ouk", Variant::KarOuk),
    ("cambodian", Variant::Ouk),
    ("makruk", Variant::Makruk),
];

impl SourceRule {
    fn fits(&self, source: Source<'_>) -> bool {
        let site = self.site.as_ref().is_none_or(|part| {
            source
                .site
                .is_some_and(|site| fold(site).contains(&fold(part)))
        });
        let dialect = self
            .dialect
            .is_none_or(|dialect| source.dialect == Some(dialect));
        let path = self
            .path
            .as_ref()
            .is_none_or(|pattern| wildcard(pattern, source.archive));
        site && dialect && path
    }
}

/// Whether `text` fits `pattern`, in which `*` stands for any text. Linear but for backing up to the last star.
fn wildcard(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((star_p, star_t)) = star {
            star = Some((star_p, star_t + 1));
            p = star_p + 1;
            t = star_t + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        assert!(wildcard("club/*.pgn", "club/2026/a.pgn"));
        assert!(wildcard("*", ""));
        assert!(!wildcard("club/*.pgn", "club/a.txt"));
        assert!(wildcard("a*b*c", "a-b-b-c"));
    }

    #[test]
    fn sources_name_and_bind() {
        let judge = Judge::default();
        let playok = Source {
            dialect: Some(Dialect::PlayOk),
            ..Source::default()
        };
        assert_eq!(judge.variant_of(playok), Some(Variant::Makruk));
        assert_eq!(judge.variant_of(Source::default()), None);
        assert!(!judge.ruling_for(Variant::Makruk, playok, None).bound);

        let mut bound = Judge::default();
        bound
            .bind(Variant::Makruk, &RulesetId::new("makruk-fairy"))
            .unwrap();
        assert!(bound.ruling_for(Variant::Makruk, playok, None).bound);
        assert!(bound.bind(Variant::Ouk, &RulesetId::new("makruk")).is_err());
    }
}
