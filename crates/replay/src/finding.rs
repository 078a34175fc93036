//! One finding: what is wrong or remarkable, where, and how sure that is.

use rules::RulesetId;

pub use crate::code::FindingCode;

/// How grave a finding is, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A tolerance used or a fact worth knowing; nothing is wrong.
    Note,
    /// Something an arbiter should look at.
    Warning,
    /// The record is wrong or incomplete.
    Error,
    /// The record contradicts the board.
    Critical,
}

impl Severity {
    /// All, mildest first.
    pub const ALL: [Severity; 4] = [
        Severity::Note,
        Severity::Warning,
        Severity::Error,
        Severity::Critical,
    ];

    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Critical => "critical",
        }
    }
}

/// How sure a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// Follows from the record and the rules.
    Proved,
    /// Depends on something the record does not say, or on a rule that sources read differently.
    Possible,
    /// Cannot be so.
    Impossible,
    /// An inference from numbers.
    Statistical,
}

impl Certainty {
    /// All.
    pub const ALL: [Certainty; 4] = [
        Certainty::Proved,
        Certainty::Possible,
        Certainty::Impossible,
        Certainty::Statistical,
    ];

    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Certainty::Proved => "proved",
            Certainty::Possible => "possible",
            Certainty::Impossible => "impossible",
            Certainty::Statistical => "statistical",
        }
    }
}

/// Which stage of the work found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Reading bytes.
    Read,
    /// Replaying one game.
    Replay,
    /// Looking at it with an engine.
    Analysis,
    /// Comparing games.
    Audit,
}

impl Stage {
    /// All, in the order of the work.
    pub const ALL: [Stage; 4] = [Stage::Read, Stage::Replay, Stage::Analysis, Stage::Audit];

    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Read => "read",
            Stage::Replay => "replay",
            Stage::Analysis => "analysis",
            Stage::Audit => "audit",
        }
    }
}

/// One finding. It never changes the record: it stands beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub code: FindingCode,
    /// How grave it is.
    pub severity: Severity,
    /// How sure it is.
    pub certainty: Certainty,
    /// Who found it.
    pub stage: Stage,
    /// The ply it is about, 1-based; none if it is about the whole record.
    pub ply: Option<u32>,
    /// First byte it is about, in the decompressed member.
    pub byte_offset: Option<u64>,
    /// Number of bytes it is about.
    pub byte_length: Option<u64>,
    /// The position before the ply it is about.
    pub fen: Option<String>,
    /// The rule set it was judged under, where rules play a part.
    pub rule_set: Option<RulesetId>,
    /// One sentence for people.
    pub message: String,
    /// What it rests on, as a JSON object.
    pub evidence: Option<String>,
}

impl Finding {
    /// A finding with the usual severity of its code, proved, about the whole record.
    pub fn new(code: FindingCode, message: impl Into<String>) -> Finding {
        Finding {
            code,
            severity: code.severity(),
            certainty: Certainty::Proved,
            stage: code.stage(),
            ply: None,
            byte_offset: None,
            byte_length: None,
            fen: None,
            rule_set: None,
            message: message.into(),
            evidence: None,
        }
    }

    /// With another severity than the code's usual one.
    pub fn severity(mut self, severity: Severity) -> Finding {
        self.severity = severity;
        self
    }

    /// With this certainty.
    pub fn certainty(mut self, certainty: Certainty) -> Finding {
        self.certainty = certainty;
        self
    }

    /// About this ply (1-based).
    pub fn at_ply(mut self, ply: u32) -> Finding {
        self.ply = Some(ply);
        self
    }

    /// About these bytes of the decompressed member.
    pub fn at_bytes(mut self, offset: u64, length: u64) -> Finding {
        self.byte_offset = Some(offset);
        self.byte_length = Some(length);
        self
    }

    /// With the position before the ply it is about.
    pub fn in_position(mut self, fen: impl Into<String>) -> Finding {
        self.fen = Some(fen.into());
        self
    }

    /// Judged under this rule set.
    pub fn under(mut self, rule_set: &RulesetId) -> Finding {
        self.rule_set = Some(rule_set.clone());
        self
    }

    /// With this evidence.
    pub fn with(mut self, evidence: &serde_json::Value) -> Finding {
        self.evidence = Some(evidence.to_string());
        self
    }
}
