//! The notebook of one game: findings as they come, tolerances gathered into one finding each.

use notation::read::{Tolerance, Tolerances};
use serde_json::json;

use crate::finding::{Finding, FindingCode};

/// What has been found so far. Nothing repeats without bound: what can happen at every ply is counted, not listed.
#[derive(Debug, Default)]
pub(crate) struct Notebook {
    findings: Vec<Finding>,
    tolerated: [Gathered; Tolerance::ALL.len()],
    marks: Gathered,
    offers: Gathered,
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
            if let Some(gathered) = self.tolerated.get_mut(tolerance as usize) {
                gathered.add(ply, token);
            }
        }
    }

    #[cold]
    pub(crate) fn wrong_mark(&mut self, ply: u32, token: &str) {
        self.marks.add(ply, token);
    }

    #[cold]
    pub(crate) fn draw_offer(&mut self, ply: u32, token: &str) {
        self.offers.add(ply, token);
    }

    /// All findings: those about the whole record first, then by ply.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        for tolerance in Tolerance::ALL {
            let gathered = &self.tolerated[tolerance as usize];
            self.findings.extend(gathered.finding(
                FindingCode::MoveTolerated,
                tolerance.phrase(),
                tolerance.as_str(),
            ));
        }
        let wrong = "check or mate mark that is not what the board shows";
        self.findings.extend(
            self.marks
                .finding(FindingCode::CheckMarkWrong, wrong, "check_mark"),
        );
        self.findings.extend(self.offers.finding(
            FindingCode::DrawOffered,
            "draw offered",
            "draw_offer",
        ));
        self.findings
            .sort_by_key(|finding| (finding.ply, finding.code));
        self.findings
    }
}
