//! What the operating system says about this process.

/// Largest resident memory so far in MiB; `None` where the system does not tell.
#[must_use]
pub fn peak_memory_mib() -> Option<f64> {
    peak_in(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn peak_in(status: &str) -> Option<f64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read() {
        let status = "Name:\tquarry\nVmPeak:\t  9999 kB\nVmHWM:\t    2048 kB\n";
        assert_eq!(peak_in(status), Some(2.0));
        assert_eq!(peak_in("Name:\tquarry\n"), None);
    }
}
