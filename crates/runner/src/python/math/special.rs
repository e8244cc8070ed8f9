//! The gamma function and its logarithm by Lanczos' approximation (13 terms, as Python's), and the unit in the last place.

use std::f64::consts::PI;

#[allow(clippy::excessive_precision)]
const G: f64 = 6.024_680_040_776_729_583_740_234_375;
#[allow(clippy::excessive_precision)]
const G_MINUS_HALF: f64 = 5.524_680_040_776_729_583_740_234_375;

#[allow(clippy::excessive_precision)]
const NUMERATOR: [f64; 13] = [
    23531376880.410759688572007674451636754734846804940,
    42919803642.649098768957899047001988850926355848959,
    35711959237.355668049440185451547166705960488635843,
    17921034426.037209699919755754458931112671403265390,
    6039542586.3520280050642916443072979210699388420708,
    1439720407.3117216736632230727949123939715485786372,
    248874557.86205415651146038641322942321632125127801,
    31426415.585400194380614231628318205362874684987640,
    2876370.6289353724412254090516208496135991145378768,
    186056.26539522349504029498971604569928220784236328,
    8071.6720023658162106380029022722506138218516325024,
    210.82427775157934587250973392071336271166969580291,
    2.5066282746310002701649081771338373386264310793408,
];

/// The coefficients of x(x+1)…(x+11).
const DENOMINATOR: [f64; 13] = [
    0.0,
    39916800.0,
    120543840.0,
    150917976.0,
    105258076.0,
    45995730.0,
    13339535.0,
    2637558.0,
    357423.0,
    32670.0,
    1925.0,
    66.0,
    1.0,
];

fn lanczos(x: f64) -> f64 {
    let (mut top, mut bottom) = (0.0, 0.0);
    // Powers of x would overflow for large x, powers of 1/x lose digits for small ones.
    if x < 5.0 {
        for at in (0..13).rev() {
            top = top * x + NUMERATOR[at];
            bottom = bottom * x + DENOMINATOR[at];
        }
    } else {
        for at in 0..13 {
            top = top / x + NUMERATOR[at];
            bottom = bottom / x + DENOMINATOR[at];
        }
    }
    top / bottom
}

/// sin(πx), exact at its zeros.
fn sin_pi(x: f64) -> f64 {
    let y = x.abs() % 2.0;
    let value = match (2.0 * y).round() as i64 {
        0 => (PI * y).sin(),
        1 => (PI * (y - 0.5)).cos(),
        2 => (PI * (1.0 - y)).sin(),
        3 => -(PI * (y - 1.5)).cos(),
        _ => (PI * (y - 2.0)).sin(),
    };
    if x.is_sign_negative() { -value } else { value }
}

/// NaN at minus infinity, infinite at poles and where it overflows.
pub fn gamma(x: f64) -> f64 {
    if !x.is_finite() {
        return if x == f64::NEG_INFINITY { f64::NAN } else { x };
    }
    if x == x.floor() {
        if x <= 0.0 {
            return f64::INFINITY;
        }
        if x <= 23.0 {
            return (1..x as u64).fold(1.0, |product, factor| product * factor as f64);
        }
    }
    let size = x.abs();
    if size < 1e-20 {
        return 1.0 / x;
    }
    if size > 200.0 {
        return if x < 0.0 { 0.0 / sin_pi(x) } else { f64::INFINITY };
    }
    let y = size + G_MINUS_HALF;
    // What the addition lost.
    let lost = match size > G_MINUS_HALF {
        true => (y - size) - G_MINUS_HALF,
        false => (y - G_MINUS_HALF) - size,
    };
    let correction = lost * G / y;
    if x < 0.0 {
        let mut result = -PI / sin_pi(size) / size * y.exp() / lanczos(size);
        result -= correction * result;
        if size < 140.0 {
            return result / y.powf(size - 0.5);
        }
        let half = y.powf(size / 2.0 - 0.25);
        return result / half / half;
    }
    let mut result = lanczos(size) / y.exp();
    result += correction * result;
    if size < 140.0 {
        return result * y.powf(size - 0.5);
    }
    let half = y.powf(size / 2.0 - 0.25);
    result * half * half
}

pub fn log_gamma(x: f64) -> f64 {
    if !x.is_finite() {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    if x == x.floor() && x <= 2.0 {
        return if x <= 0.0 { f64::INFINITY } else { 0.0 };
    }
    let size = x.abs();
    if size < 1e-20 {
        return -size.ln();
    }
    let mut result = lanczos(size).ln() - G;
    result += (size - 0.5) * ((size + G - 0.5).ln() - 1.0);
    if x < 0.0 {
        const LN_PI: f64 = 1.144_729_885_849_400_174_143_427_351_353_1;
        result = LN_PI - sin_pi(size).abs().ln() - size.ln() - result;
    }
    result
}

pub fn ulp(x: f64) -> f64 {
    if !x.is_finite() {
        return x.abs();
    }
    let size = x.abs();
    let next = size.next_up();
    if next.is_infinite() { size - size.next_down() } else { next - size }
}
