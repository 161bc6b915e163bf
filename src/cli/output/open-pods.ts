import { whole } from '../../lib/shown-count.ts';
import type { ErrorGroup } from '../../simulation/error-groups.ts';
import type { OpenPodGroup, OpenPods } from '../../simulation/statistics/open-pods.ts';

/** More names say no more to a person; JSON lists all. */
const NAMES_MAX = 10;

const TITLES: Readonly<Record<keyof OpenPods, string>> = {
  notScheduled: 'not scheduled',
  notStarted: 'scheduled, but not started',
  notReady: 'started, but not ready',
  lost: 'lost, and not replaced',
  missing: 'not made',
  withTheirNode: 'gone with their node, to which they belong (DaemonSets)',
};

/** The pods that do not run, by what they wait for and by reason; empty when all run. */
export function formatOpenPods(open: OpenPods): string {
  return Object.entries(TITLES)
    .map(([kind, title]) => section(title, open[kind as keyof OpenPods]))
    .join('');
}

function section(title: string, groups: readonly OpenPodGroup[]): string {
  if (groups.length === 0) return '';
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const lines = groups.flatMap(({ reason, count: size, pods }) => {
    const more = size > NAMES_MAX ? `, and ${whole(size - NAMES_MAX)} more` : '';
    return [`  ${podsText(size)}: ${reason}`, `    ${pods.slice(0, NAMES_MAX).join(', ')}${more}`];
  });
  return ['', `${podsText(count)} ${title}:`, ...lines, ''].join('\n');
}

function podsText(count: number): string {
  return count === 1 ? '1 pod' : `${whole(count)} pods`;
}

/** Errors that stopped nothing, by kind. */
export function formatErrors(groups: readonly ErrorGroup[]): string {
  if (groups.length === 0) return '';
  const lines = groups.map(({ activity, example, count }) => `  ${whole(count)} times, ${activity}: ${example}`);
  return ['', 'Errors that stopped nothing (each with the first of its kind):', ...lines, ''].join('\n');
}
