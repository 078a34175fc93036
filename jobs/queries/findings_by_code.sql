-- What is wrong with the records, how badly, and how surely?
--
-- One row per code, severity and certainty, the gravest first.
--
--   code        what was found; `nabsak report` and schemas/findings.yaml list the codes
--   severity    critical, error, warning or note
--   certainty   proved, possible (depends on what the record does not say, or on a rule that sources read
--               differently), impossible, statistical
--   stage       read, replay, analysis or audit: who found it
--   findings    how many
--   games       games concerned; findings about an archive have none
--   archives    archives concerned
--   example     the message of one of them, for a first look
SELECT
    code,
    severity,
    certainty,
    stage,
    COUNT(*) AS findings,
    COUNT(DISTINCT game_id) AS games,
    COUNT(DISTINCT archive) AS archives,
    MIN(message) AS example
FROM findings
GROUP BY code, severity, certainty, stage
ORDER BY
    CASE severity WHEN 'critical' THEN 1 WHEN 'error' THEN 2 WHEN 'warning' THEN 3 ELSE 4 END,
    findings DESC,
    code,
    certainty,
    stage;
