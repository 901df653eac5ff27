//! Which instructions the engines use.
//!
//! The instruction set is chosen once per process, by what the CPU has or by the operator, and
//! changes how fast an answer comes, never the answer.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use thiserror::Error;

/// An instruction set that the engines are written for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Isa {
    /// What every machine has.
    Portable,
    /// 256-bit registers: x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// 512-bit registers: all of [`Isa::Avx2`] and AVX-512 F, BW, DQ and VL.
    Avx512,
}

/// The choice of this process.
static CHOSEN: OnceLock<Isa> = OnceLock::new();

impl Isa {
    /// All, from the slowest to the fastest.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The one that this process uses: the one [`chosen`](Self::choose), or else the fastest that
    /// the CPU has.
    #[must_use]
    pub fn current() -> Self {
        *CHOSEN.get_or_init(Self::fastest)
    }

    /// Makes this the one that the process uses.
    ///
    /// # Errors
    /// If the CPU lacks it, or another one is in use.
    pub fn choose(self) -> Result<(), Unusable> {
        self.check()?;
        let current = *CHOSEN.get_or_init(|| self);
        if current == self {
            Ok(())
        } else {
            Err(Unusable::InUse(current))
        }
    }

    /// Whether the CPU has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// # Errors
    /// If the CPU lacks it.
    pub(in crate::sudoku) fn check(self) -> Result<(), Unusable> {
        if self.is_available() {
            Ok(())
        } else {
            Err(Unusable::Unavailable(self, Self::fastest()))
        }
    }

    fn fastest() -> Self {
        let available = Self::ALL.into_iter().filter(|isa| isa.is_available());
        available.max().unwrap_or(Self::Portable)
    }

    /// Its name, as in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Isa {
    type Err = UnknownIsa;

    fn from_str(name: &str) -> Result<Self, UnknownIsa> {
        let named = Self::ALL.into_iter().find(|isa| isa.name() == name);
        named.ok_or_else(|| UnknownIsa(name.to_owned()))
    }
}

/// No instruction set has this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is none of portable, avx2, avx512")]
pub struct UnknownIsa(String);

/// Why an instruction set cannot be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unusable {
    /// The CPU lacks it.
    #[error("this CPU cannot run {0}, the most it can run is {1}")]
    Unavailable(Isa, Isa),
    /// Another one was chosen, or is in use.
    #[error("{0} is in use")]
    InUse(Isa),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for isa in Isa::ALL {
            assert_eq!(isa.name().parse(), Ok(isa));
            assert_eq!(isa.to_string(), isa.name());
        }
    }

    #[test]
    fn an_unknown_name_is_told_the_known_ones() {
        for name in ["", "AVX2", " avx2", "sse"] {
            let error = name.parse::<Isa>().unwrap_err().to_string();
            assert_eq!(error, format!("{name:?} is none of portable, avx2, avx512"));
        }
        let error = "sse".parse::<Isa>().unwrap_err().to_string();
        for isa in Isa::ALL {
            assert!(error.contains(isa.name()), "{error}");
        }
    }

    #[test]
    fn the_fastest_available_one_is_the_last() {
        assert!(Isa::Portable.is_available());
        assert!(Isa::fastest().is_available());
        let faster = |isa: &Isa| *isa > Isa::fastest();
        assert!(!Isa::ALL.into_iter().filter(faster).any(Isa::is_available));
    }

    /// Leaves the process, which other tests share, with the choice that it has without this test.
    #[test]
    fn the_choice_stands() {
        let current = Isa::current();
        assert_eq!(current.choose(), Ok(()));
        assert_eq!(current.choose(), Ok(()));
        for other in Isa::ALL.into_iter().filter(|&isa| isa != current) {
            let refusal = other.choose().unwrap_err();
            if other.is_available() {
                assert_eq!(refusal, Unusable::InUse(current));
            } else {
                assert_eq!(refusal, Unusable::Unavailable(other, Isa::fastest()));
            }
        }
        assert_eq!(Isa::current(), current);
    }
}
