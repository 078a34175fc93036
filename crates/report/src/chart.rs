//! Charts as inline SVG: bars and intervals that stretch with the page.
//!
//! Drawn here rather than by a charting crate: those (poloto, charts-rs) lay out for a fixed width in pixels and carry
//! fonts or colours of their own, while a bar in percent of its cell fits a telephone, a desk and a sheet of paper, and
//! takes its colours from the page, light or dark.

use maud::{Markup, html};

use crate::figures::Range;

/// A part of a bar: how much, which colour class of the page, and what it is called.
pub(crate) struct Slice {
    pub(crate) n: u64,
    pub(crate) class: &'static str,
    pub(crate) name: &'static str,
}

fn at(share: f64) -> String {
    format!("{:.3}%", 100.0 * share.clamp(0.0, 1.0))
}

/// One bar that is the whole, cut into its parts.
pub(crate) fn stack(slices: &[Slice]) -> Markup {
    let whole: u64 = slices.iter().map(|slice| slice.n).sum();
    let label: Vec<String> = slices
        .iter()
        .map(|slice| format!("{} {}", slice.name, slice.n))
        .collect();
    let placed = slices.iter().scan(0u64, |from, slice| {
        let start = *from;
        *from += slice.n;
        Some((start, slice))
    });
    html! {
        svg.bar width="100%" height="14" role="img" aria-label=(label.join(", ")) {
            rect.track width="100%" height="14" rx="3" {}
            @for (from, slice) in placed.filter(|(_, slice)| slice.n > 0) {
                rect class=(slice.class) x=(at(from as f64 / whole as f64)) width=(at(slice.n as f64 / whole as f64)) height="14" {
                    title { (slice.name) ": " (slice.n) " of " (whole) }
                }
            }
        }
    }
}

/// One bar as a share of the longest.
pub(crate) fn bar(n: u64, longest: u64, class: &'static str) -> Markup {
    let width = if longest == 0 {
        0.0
    } else {
        n as f64 / longest as f64
    };
    html! {
        svg.bar width="100%" height="14" role="img" aria-label=(n) {
            rect.track width="100%" height="14" rx="3" {}
            rect class=(class) width=(at(width)) height="14" rx="3" {}
        }
    }
}

/// An interval as a line with its share as a dot, on a scale from 0 to `top` (a share).
pub(crate) fn interval(share: f64, range: Option<Range>, top: f64) -> Markup {
    let top = if top > 0.0 { top } else { 1.0 };
    html! {
        svg.bar width="100%" height="14" role="img" aria-label={ (crate::text::share(share)) } {
            line.axis x1="0" x2="100%" y1="7" y2="7" {}
            @if let Some(range) = range {
                @let (low, high) = (range.low / top, range.high / top);
                line.whisker x1=(at(low)) x2=(at(high)) y1="7" y2="7" {
                    title { "95 %: " (crate::text::share(range.low)) " to " (crate::text::share(range.high)) }
                }
                line.whisker-end x1=(at(low)) x2=(at(low)) y1="2" y2="12" {}
                line.whisker-end x1=(at(high)) x2=(at(high)) y1="2" y2="12" {}
            }
            circle.dot cx=(at(share / top)) cy="7" r="4.5" {}
        }
    }
}

/// A legend for the colours of [`stack`].
pub(crate) fn legend(names: &[(&'static str, &'static str)]) -> Markup {
    html! {
        p.legend {
            @for (class, name) in names {
                span { svg width="12" height="12" aria-hidden="true" { rect class=(class) width="12" height="12" rx="2" {} } " " (name) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_fills_its_bar() {
        let slices = [
            Slice {
                n: 1,
                class: "c-win",
                name: "won",
            },
            Slice {
                n: 0,
                class: "c-draw",
                name: "drawn",
            },
            Slice {
                n: 3,
                class: "c-loss",
                name: "lost",
            },
        ];
        let svg = stack(&slices).into_string();
        assert!(
            svg.contains("width=\"25.000%\"")
                && svg.contains("x=\"25.000%\"")
                && svg.contains("width=\"75.000%\"")
        );
        assert!(!svg.contains("c-draw"));
    }

    #[test]
    fn nothing_to_draw_is_no_panic() {
        assert!(stack(&[]).into_string().contains("track"));
        assert!(bar(3, 0, "c-win").into_string().contains("0.000%"));
        assert!(interval(0.5, None, 0.0).into_string().contains("50.000%"));
    }
}
