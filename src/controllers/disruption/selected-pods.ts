import type { Selector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { type IndexFunction, readingParts } from '../../client/informer/index-buckets.ts';
import type { SharedInformer } from '../../client/informer/shared-informer.ts';
import { labelKey } from '../owned-pods/selecting.ts';

const BY_LABEL = 'label';

const labelKeys: IndexFunction<Pod> = readingParts(
  ({ metadata: { namespace = '', labels = {} } = {} }) =>
    Object.entries(labels).map(([key, value]) => labelKey(namespace, key, value)),
  (before, after) => before.metadata?.labels === after.metadata?.labels,
);

/**
 * The pods that a selector matches. Where it requires a label, an index finds them, which costs time and memory for
 * every pod: it is added for the first such selector.
 */
export function selectedPods(
  pods: Pick<SharedInformer<Pod>, 'lister' | 'addIndex'>,
  namespace: string,
  selector: Selector,
): readonly Pod[] {
  const { lister } = pods;
  const { requires } = selector;
  if (requires === undefined) return lister.inNamespace(namespace).list(selector);
  pods.addIndex(BY_LABEL, labelKeys);
  const keys = new Set(requires.values.map((value) => labelKey(namespace, requires.key, value)));
  const found = [...keys].flatMap((key) => lister.byIndex(BY_LABEL, key));
  return found.filter(({ metadata }) => selector.matches(metadata?.labels));
}
