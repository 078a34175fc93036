-- How do the openings score?
--
-- One row per position and move of the first sixteen plies that was played at least twice. A share from few games
-- says little: read n and the interval before the share.
--
--   variant, fen, ply   the position before the move, and the smallest ply at which the move was played from it
--   san, uci            the move
--   side                who moves
--   n                   games with this move and a known result
--   white_wins, draws, black_wins    these games by result; their sum is n
--   score               the mover's share of points, a draw counting half
--   win_rate            the mover's share of wins
--   win_low, win_high   95 % Wilson interval of win_rate
--   average_rating      the mover's mean rating, over n_rated games
--   performance         mean rating of the opponents plus the FIDE difference for the score, over n_performance games
WITH scored AS (
    SELECT
        *,
        CAST(n AS DOUBLE) AS m,
        CASE WHEN side = 'white' THEN white_wins ELSE black_wins END AS wins,
        CAST(CASE WHEN side = 'white' THEN white_wins ELSE black_wins END AS DOUBLE) / n AS p,
        1.959963984540054 AS z
    FROM openings
    WHERE n >= 2
      AND ply <= 16
)
SELECT
    variant,
    fen,
    ply,
    san,
    uci,
    side,
    n,
    white_wins,
    draws,
    black_wins,
    (wins + 0.5 * draws) / m AS score,
    p AS win_rate,
    CASE WHEN wins = 0 THEN 0.0
         ELSE (p + z * z / (2 * m) - z * SQRT(p * (1 - p) / m + z * z / (4 * m * m))) / (1 + z * z / m) END AS win_low,
    CASE WHEN wins = n THEN 1.0
         ELSE (p + z * z / (2 * m) + z * SQRT(p * (1 - p) / m + z * z / (4 * m * m))) / (1 + z * z / m) END AS win_high,
    n_rated,
    average_rating,
    n_performance,
    performance
FROM scored
ORDER BY variant, ply, n DESC, fen, uci;
