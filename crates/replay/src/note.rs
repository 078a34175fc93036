//! The notebook of one game: findings as they come, tolerances gathered into one finding each.

use notation::read::{Tolerance, Tolerances};
use serde_json::json;

use crate::finding::{Finding, FindingCode};

/// What has been found so far. Nothing repeats without bound: what can happen at every ply is counted, not listed.
#[derive(Debug, Default)]
pub(crate) struct Notebook {
    findings: Vec<Finding>,
    gathered: Vec<(Often, Gathered)>,
}

/// What can happen at every ply, in the order of the findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Often {
    Tolerated(Tolerance),
    WrongMark,
    DrawOffer,
}

/// Something that can happen at every ply.
#[derive(Debug, Default, Clone)]
struct Gathered {
    plies: u32,
    first: Option<(u32, String)>,
}

impl Gathered {
    fn add(&mut self, ply: u32, token: &str) {
        self.plies += 1;
        if self.first.is_none() {
            self.first = Some((ply, token.to_owned()));
        }
    }

    fn finding(&self, code: FindingCode, what: &str, key: &str) -> Option<Finding> {
        let (ply, token) = self.first.as_ref()?;
        let times = if self.plies == 1 {
            String::new()
        } else {
            format!(", {} times in all", self.plies)
        };
        let message = format!("{what}: first `{token}` at ply {ply}{times}");
        let evidence =
            json!({ "kind": key, "plies": self.plies, "first_ply": ply, "token": token });
        Some(Finding::new(code, message).at_ply(*ply).with(&evidence))
    }
}

impl Notebook {
    pub(crate) fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    #[cold]
    pub(crate) fn tolerated(&mut self, tolerances: Tolerances, ply: u32, token: &str) {
        for tolerance in tolerances.iter() {
            self.gather(Often::Tolerated(tolerance), ply, token);
        }
    }

    #[cold]
    pub(crate) fn wrong_mark(&mut self, ply: u32, token: &str) {
        self.gather(Often::WrongMark, ply, token);
    }

    #[cold]
    pub(crate) fn draw_offer(&mut self, ply: u32, token: &str) {
        self.gather(Often::DrawOffer, ply, token);
    }

    fn gather(&mut self, what: Often, ply: u32, token: &str) {
        let same = self.gathered.iter().position(|(often, _)| *often == what);
        let index = same.unwrap_or(self.gathered.len());
        if same.is_none() {
            self.gathered.push((what, Gathered::default()));
        }
        self.gathered[index].1.add(ply, token);
    }

    /// All findings: those about the whole record first, then by ply.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        self.gathered.sort_by_key(|(often, _)| often.place());
        let gathered = self.gathered.iter();
        let found = gathered.filter_map(|(often, gathered)| often.finding(gathered));
        self.findings.extend(found);
        self.findings
            .sort_by_key(|finding| (finding.ply, finding.code));
        self.findings
    }
}

impl Often {
    fn place(self) -> usize {
        match self {
            Often::Tolerated(tolerance) => tolerance as usize,
            Often::WrongMark => Tolerance::ALL.len(),
            Often::DrawOffer => Tolerance::ALL.len() + 1,
        }
    }

    fn finding(self, gathered: &Gathered) -> Option<Finding> {
        let (code, what, key) = match self {
            Often::Tolerated(tolerance) => (
                FindingCode::MoveTolerated,
                tolerance.phrase(),
                tolerance.as_str(),
            ),
            Often::WrongMark => (
                FindingCode::CheckMarkWrong,
                "check or mate mark that is not what the board shows",
                "check_mark",
            ),
            Often::DrawOffer => (FindingCode::DrawOffered, "draw offered", "draw_offer"),
        };
        gathered.finding(code, what, key)
    }
}
