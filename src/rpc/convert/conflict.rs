//! What breaks a rule.

use crate::rpc::pb;
use crate::rpc::pb::house::Kind;
use crate::sudoku::{Conflict, House, HouseKind};

/// To the wire.
pub(in crate::rpc) fn conflict(conflict: &Conflict) -> pb::Conflict {
    let cell = |index: usize| u32::try_from(index).expect("below 81");
    pb::Conflict {
        cells: conflict.cells().iter().map(|c| cell(c.index())).collect(),
        digit: conflict.digit().map(|digit| u32::from(digit.value())),
        house: conflict.house().map(house),
    }
}

pub(super) fn house(house: House) -> pb::House {
    let kind = match house.kind() {
        HouseKind::Row => Kind::Row,
        HouseKind::Column => Kind::Column,
        HouseKind::Box => Kind::Box,
    };
    pb::House {
        kind: kind.into(),
        number: house.number().into(),
    }
}
