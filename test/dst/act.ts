import type { Taint } from '../../src/api/node.ts';
import { isApiError } from '../../src/store/objects/api-error.ts';
import type { Store } from '../../src/store/store.ts';
import type { Act } from './script/script.ts';

/** Does what users do. That something is not there, or is there already, is no trouble. */
export function actOn(store: Store, act: Act): void {
  try {
    perform(store, act);
  } catch (error) {
    // A Job that has ended takes no change of its size any more, and one that is gone none at all.
    const isExpected = (['NotFound', 'AlreadyExists', 'Invalid'] as const).some((reason) => isApiError(error, reason));
    if (!isExpected) throw error;
  }
}

function perform(store: Store, act: Act): void {
  if (act.do === 'submit') {
    store.create(act.resource, act.object);
  } else if (act.do === 'patch') {
    const namespace = act.resource === 'nodes' || act.resource === 'resourceslices' ? '' : 'default';
    store.patch(act.resource, namespace, act.name, { type: 'merge', body: act.body });
  } else if (act.do === 'delete') {
    const { resource, name, gracePeriodSeconds, propagationPolicy } = act;
    const options = { gracePeriodSeconds, propagationPolicy };
    store.delete(resource, resource === 'nodes' ? '' : 'default', name, options);
  } else if (act.do === 'taint' || act.do === 'untaint') {
    setTaint(store, act.name, act.taint, act.do === 'taint');
  }
}

function setTaint(store: Store, name: string, taint: Taint, isThere: boolean): void {
  const node = store.get('nodes', '', name);
  const others = (node.spec?.taints ?? []).filter(({ key, effect }) => key !== taint.key || effect !== taint.effect);
  const taints = isThere ? [...others, taint] : others;
  store.update('nodes', { ...node, spec: { ...node.spec, taints } });
}
