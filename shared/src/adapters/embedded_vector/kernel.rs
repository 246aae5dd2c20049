//! The arithmetic of the scan, compiled for several instruction sets and chosen at run time.

use half::{f16, slice::HalfFloatSliceExt};
use multiversion::multiversion;

/// Dot products of the query with the selected rows. `rows` holds rows of the query's length one
/// after another; `dots` has one place per selected row.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx2",
    "x86_64+avx2",
    "x86_64+sse4.1",
    "aarch64+neon",
))]
pub(super) fn dot_selected(query: &[i8], rows: &[i8], selected: &[u32], dots: &mut [i32]) {
    let dimension = query.len();
    for (position, dot) in selected.iter().zip(dots) {
        let start = *position as usize * dimension;
        let row = &rows[start..start + dimension];
        // Products of two 8-bit numbers fit 15 bits; sums of up to 130,000 of them fit 32.
        *dot = query
            .iter()
            .zip(row)
            .map(|(left, right)| i32::from(*left) * i32::from(*right))
            .sum();
    }
}

/// Exact dot product of the query with a row of 16-bit floats. `scratch` saves an allocation.
pub(super) fn dot_half(query: &[f32], row: &[f16], scratch: &mut Vec<f32>) -> f32 {
    scratch.resize(row.len(), 0.0);
    row.convert_to_f32_slice(scratch);
    query
        .iter()
        .zip(scratch.iter())
        .map(|(left, right)| left * right)
        .sum()
}

/// Scales a vector to unit length. False for a vector without direction.
pub(super) fn normalize(vector: &mut [f32]) -> bool {
    let length = vector
        .iter()
        .map(|component| f64::from(*component) * f64::from(*component))
        .sum::<f64>()
        .sqrt();
    if length < f64::from(f32::MIN_POSITIVE) {
        return false;
    }
    for component in vector {
        #[expect(clippy::cast_possible_truncation, reason = "at most 1")]
        let scaled = (f64::from(*component) / length) as f32;
        *component = scaled;
    }
    true
}

/// Writes the vector as 8-bit integers and returns the value of one step.
pub(super) fn quantize(vector: &[f32], quantized: &mut [i8]) -> f32 {
    let largest = vector
        .iter()
        .fold(0.0_f32, |largest, component| largest.max(component.abs()));
    if largest == 0.0 {
        quantized.fill(0);
        return 0.0;
    }
    let step = largest / 127.0;
    for (component, small) in vector.iter().zip(quantized) {
        #[expect(clippy::cast_possible_truncation, reason = "within ±127 by the step")]
        let rounded = (component / step).round() as i8;
        *small = rounded;
    }
    step
}
