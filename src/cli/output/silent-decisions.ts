import { podKey } from '../../api/object-name.ts';
import type { SilentWatcher } from '../../live/live-scheduler.ts';
import { Shadow } from '../../live/shadow.ts';
import { visible } from '../text/visible.ts';

type PrintLine = (line: string) => void;

/** Prints what a scheduler would do that writes nothing. */
export function printedDecisions(print: PrintLine): SilentWatcher {
  return {
    bound: (pod, nodeName) => print(`${visible(podKey(pod))} would be bound to ${visible(nodeName)}`),
    deleted: (namespace, name) => print(`${visible(`${namespace}/${name}`)} would be evicted`),
    statusPatched(namespace, name, patch) {
      const { status } = patch as { status?: { conditions?: readonly { type?: string; message?: string }[] } };
      const message = status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
      if (message !== undefined) print(`${visible(`${namespace}/${name}`)} would wait: ${visible(message)}`);
    },
  };
}

/** Prints where the cluster's own scheduler decides otherwise; `summary` says how often both agreed. */
export function printedShadow(
  schedulerNames: ReadonlySet<string>,
  print: PrintLine,
): SilentWatcher & { readonly summary: () => string } {
  const shadow = new Shadow(
    ({ spec }) => schedulerNames.has(spec?.schedulerName ?? 'default-scheduler'),
    ({ pod, here, reason, there }) => {
      const ours = here === null ? `none (${reason})` : here;
      print(`${visible(pod)}: here ${visible(ours)}, there ${visible(there)}`);
    },
  );
  return {
    bound: shadow.bound,
    statusPatched: shadow.statusPatched,
    deleted: shadow.deleted,
    pods: shadow,
    isAwaited: shadow.isAwaited,
    summary: () => {
      const { agreed, differed, undecided } = shadow.summary;
      const late = undecided === 0 ? '' : `; ${undecided} were bound before they were decided here`;
      return `${agreed} decisions agreed, ${differed} differed${late}`;
    },
  };
}
