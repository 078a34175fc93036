-- Which players blunder, and in which phase of the game?
--
-- One row per player, variant and phase. Rates are over analysed moves only; games whose analysis is not done count
-- with the moves that were looked at, so read `moves` beside every rate.
--
--   player          name as the record writes it; a game without a name is left out
--   variant         makruk, ouk or kar-ouk
--   phase           opening, middlegame or endgame (crates/analysis/src/phase.rs says where they part)
--   games           games in which the player has an analysed move in this phase
--   moves           analysed moves: the denominator of every rate below
--   blunders        moves that gave away 15 points of win chance or more, or a mate (ANALYSIS 1.1)
--   mistakes        10 points or more
--   inaccuracies    5 points or more
--   blunder_rate    blunders / moves
--   blunder_low, blunder_high    95 % Wilson interval of blunder_rate
--   acpl            mean loss in centipawns, scores clamped to 1000 on both sides
--   best_move_rate  share of moves equal to the engine's choice
--
-- The win curve is provisional (column evaluations.curve): compare players with each other, not with other games.
WITH judged AS (
    SELECT
        CASE WHEN evaluations.side = 'white' THEN games.white ELSE games.black END AS player,
        games.variant,
        evaluations.phase,
        evaluations.game_id,
        evaluations.class,
        evaluations.loss_cp,
        evaluations.is_best
    FROM evaluations
    JOIN games ON games.game_id = evaluations.game_id
),
sums AS (
    SELECT
        player,
        variant,
        phase,
        COUNT(DISTINCT game_id) AS games,
        COUNT(*) AS moves,
        SUM(CASE WHEN class = 'blunder' THEN 1 ELSE 0 END) AS blunders,
        SUM(CASE WHEN class = 'mistake' THEN 1 ELSE 0 END) AS mistakes,
        SUM(CASE WHEN class = 'inaccuracy' THEN 1 ELSE 0 END) AS inaccuracies,
        SUM(CASE WHEN is_best THEN 1 ELSE 0 END) AS best_moves,
        SUM(CAST(loss_cp AS BIGINT)) AS loss_cp
    FROM judged
    WHERE player IS NOT NULL
    GROUP BY player, variant, phase
),
rates AS (
    SELECT
        *,
        CAST(moves AS DOUBLE) AS n,
        CAST(blunders AS DOUBLE) / moves AS p,
        1.959963984540054 AS z
    FROM sums
)
SELECT
    player,
    variant,
    phase,
    games,
    moves,
    blunders,
    mistakes,
    inaccuracies,
    p AS blunder_rate,
    CASE WHEN blunders = 0 THEN 0.0
         ELSE (p + z * z / (2 * n) - z * SQRT(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n) END AS blunder_low,
    CASE WHEN blunders = moves THEN 1.0
         ELSE (p + z * z / (2 * n) + z * SQRT(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n) END AS blunder_high,
    CAST(loss_cp AS DOUBLE) / moves AS acpl,
    CAST(best_moves AS DOUBLE) / moves AS best_move_rate
FROM rates
ORDER BY
    player,
    variant,
    CASE phase WHEN 'opening' THEN 1 WHEN 'middlegame' THEN 2 ELSE 3 END;
