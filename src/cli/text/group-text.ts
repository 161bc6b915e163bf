import type { GroupExplanation, MemberVerdict, PlacementVerdict } from '../../cluster/pod-group-scheduler.ts';
import { groupBy } from '../../lib/group-by.ts';
import { plural, whole } from '../../lib/shown-count.ts';

const PODS_SHOWN = 4;
/** More placements say no more to a person; JSON has all. */
const PLACEMENTS_SHOWN = 8;

/** How it stands with the group of a pod, in lines, and which of its pods is explained. */
export function groupLines(pod: string, group: GroupExplanation): readonly string[] {
  const { members, explained } = group;
  const own = members.find((member) => member.pod === pod);
  return [
    ...standingLines(group),
    ...(explained === pod ? [] : [`${pod} has a place on ${own?.node}; what follows is about ${explained}.`]),
    ...(members.length === 0 ? [] : ['Each pod is tried beside those before it.']),
  ];
}

/** How it stands with a group, in lines. */
export function standingLines(group: GroupExplanation): readonly string[] {
  const { members, placements = [] } = group;
  const placed = members.filter(({ node }) => node !== null);
  const rejected = [
    ...groupBy(
      members.filter(({ node }) => node === null),
      ({ message }) => message,
    ).values(),
  ];
  return [
    headline(group),
    ...placementLines(placements),
    ...(placed.length === 0 ? [] : [`  ${havePlace(placed)}`]),
    ...rejected.map((alike) => `  ${haveNone(alike)}`),
  ];
}

function headline({ group, minCount, podCount, scheduledCount, hasPlace, message }: GroupExplanation): string {
  const kind = minCount === null ? '' : `, a gang that needs ${whole(minCount)} of its pods,`;
  const counts = `has ${pods(podCount)}, ${whole(scheduledCount)} of them on nodes`;
  if (hasPlace === null) return `Group ${group}${kind} ${counts}.`;
  return `Group ${group}${kind} ${counts}: ${hasPlace ? 'the others have a place' : message}.`;
}

/** What was found on each placement, if there are several; what follows them is about the one that is reported. */
function placementLines(placements: readonly PlacementVerdict[]): readonly string[] {
  if (placements.length < 2) return [];
  const shown = placements
    .slice(0, PLACEMENTS_SHOWN)
    .map(({ placement, nodeCount, placedCount, hasPlace, message }) => {
      const why = hasPlace || message === '' ? '' : `: ${message}`;
      const verdict = `${pods(placedCount)} with a place, ${hasPlace ? 'enough' : 'too few'}${why}`;
      return `  on ${placement} (${plural(nodeCount, 'node')}): ${verdict}`;
    });
  const left = placements.length - shown.length;
  return left > 0 ? [...shown, `  and ${whole(left)} placements more`] : shown;
}

function havePlace(members: readonly MemberVerdict[]): string {
  const shown = members.slice(0, PODS_SHOWN).map(({ pod, node }) => `${pod} on ${node}`);
  return `${pods(members.length)} with a place: ${listed(shown, members.length)}`;
}

function haveNone(members: readonly MemberVerdict[]): string {
  const shown = members.slice(0, PODS_SHOWN).map(({ pod }) => pod);
  return `${pods(members.length)} without: ${listed(shown, members.length)}: ${members[0]?.message ?? ''}`;
}

function pods(count: number): string {
  return plural(count, 'pod');
}

function listed(shown: readonly string[], count: number): string {
  return count > shown.length ? `${shown.join(', ')} and ${whole(count - shown.length)} more` : shown.join(', ');
}
