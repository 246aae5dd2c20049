//! The rows of a table that a filter shows: scope, branches and view as one SQL condition.

use sea_orm::sea_query::{Condition, Expr, ExprTrait};

use crate::domain::{IndexFilter, View};

/// Condition on the scope columns and `born`/`died` of the table called `alias`. An empty list of
/// projects or branches shows nothing.
#[must_use]
pub fn condition(alias: &'static str, filter: &IndexFilter) -> Condition {
    Condition::all()
        .add(Expr::col((alias, "organization_id")).eq(filter.organization_id().0))
        .add(Expr::col((alias, "branch_id")).is_in(filter.branches.iter().map(|id| id.0)))
        .add(Expr::col((alias, "project_id")).is_in(filter.projects().iter().map(|id| id.0)))
        .add(view_condition(alias, &filter.view))
}

/// [`View::shows`] in SQL.
#[must_use]
pub fn view_condition(alias: &'static str, view: &View) -> Condition {
    let hidden = || view.unpublished.iter().map(|id| id.0);
    let mut alive = Condition::any().add(Expr::col((alias, "died")).gt(view.horizon.0));
    let mut shown = Condition::all().add(Expr::col((alias, "born")).lte(view.horizon.0));
    if !view.unpublished.is_empty() {
        alive = alive.add(Expr::col((alias, "died")).is_in(hidden()));
        shown = shown.add(Expr::col((alias, "born")).is_not_in(hidden()));
    }
    shown.add(alive)
}
