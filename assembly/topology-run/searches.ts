/** Decisions of a run about the part of the nodes that a search finds. */
import { NodeEnvironment } from '../signature-index/layout';
import { placeFound } from '../signature-index/search';
import { DomainTerm, KEYLESS_NONE, NodeSearch, OrderedTotals, TERM_BYTES } from '../signature-index/search-record';
import { TERM_BYTES as BOUND_BYTES, RunMember, RunTerm, TopologyRun } from './records';
import { boundRules } from './scores';

/** Gives the search the rules and scores of the member, with the bounds that follow from the counts as they are now. */
function takeRules(member: RunMember, search: NodeSearch): void {
  boundRules(member);
  const last = member.rules + usize(member.ruleCount) * BOUND_BYTES;
  for (let at = member.rules, to = member.foundRules; at < last; at += BOUND_BYTES, to += TERM_BYTES) {
    const bound = changetype<RunTerm>(at);
    const rule = changetype<DomainTerm>(to);
    rule.least = bound.least;
    rule.most = bound.most;
  }
  search.rules = member.foundRules;
  search.ruleCount = member.ruleCount;
  search.spread = member.foundSpread;
  search.spreadCount = member.spreadCount;
  search.spreadWeight = member.spreadWeight;
  search.keyless = KEYLESS_NONE;
  search.affinity = member.foundAffinity;
  search.affinityCount = member.affinityCount;
  search.affinityWeight = member.affinityWeight;
}

/** As `placeFound`, for a pod of the member. */
export function placeMember(env: NodeEnvironment, run: TopologyRun, member: RunMember, only: i32, result: usize): i32 {
  const search = changetype<NodeSearch>(run.search);
  if (only < 0) takeRules(member, search);
  return placeFound(env, member.column, only, changetype<OrderedTotals>(member.ordered), result, search);
}
