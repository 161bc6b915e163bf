import type { Pod } from '../../api/pod.ts';
import type { Informers } from './informers.ts';
import type { Lister } from './lister.ts';

const NODE_NAME_INDEX = 'spec.nodeName';
const NO_NAMES: readonly string[] = [];

function nodeNamesOf({ spec }: Pod): readonly string[] {
  return spec?.nodeName ? [spec.nodeName] : NO_NAMES;
}

/** Adds the index that `podsOfNode` reads. */
export function watchPodsByNode(informers: Informers): void {
  informers.of('pods').addIndex(NODE_NAME_INDEX, nodeNamesOf);
}

export function podsOfNode(pods: Lister<Pod>, nodeName: string): readonly Pod[] {
  return pods.byIndex(NODE_NAME_INDEX, nodeName);
}
