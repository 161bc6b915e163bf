import type { Container, Pod, PodSpec } from '../api/pod.ts';
import { podQosClass } from '../api/pod-qos.ts';
import { type Problem, quote } from '../api/validation/check.ts';
import { invalidValue } from '../api/validation/field-error.ts';
import { podSpec } from '../api/validation/pod.ts';
import { arrayOf, object, string } from '../api/validation/shapes.ts';
import { refuseInvalid } from './objects/api-error.ts';
import { frozenCopy } from './objects/frozen-copy.ts';

const namedContainers = arrayOf(object({ name: string }));
/** The parts of a given spec that a resize reads; the merged spec is validated afterwards. */
const givenSpec = object({ containers: namedContainers, initContainers: namedContainers });

/**
 * The pod with the resources of the given pod's containers, frozen; `stored` itself when nothing changes. Everything
 * else in the given pod is ignored. Upstream: podResizeStrategy in pkg/registry/core/pod/strategy.go, and
 * ValidatePodResize in pkg/apis/core/validation/validation.go.
 *
 * @throws ApiError Invalid
 */
export function resizedPod(given: Pod, stored: Pod): Pod {
  const problems: Problem[] = [];
  givenSpec(given.spec, 'spec', problems);
  refuseInvalid('pods', stored.metadata, problems);
  const storedSpec = stored.spec ?? {};
  const resized: PodSpec = {
    ...storedSpec,
    ...resizedList('containers', given, storedSpec, problems),
    ...resizedList('initContainers', given, storedSpec, problems),
  };
  podSpec(resized, 'spec', problems);
  refuseInvalid('pods', stored.metadata, problems);
  const spec = frozenCopy(resized, storedSpec);
  if (spec === stored.spec) return stored;
  const qosClass = stored.status?.qosClass || podQosClass(storedSpec);
  if (podQosClass(spec) !== qosClass) {
    refuseInvalid('pods', stored.metadata, [
      invalidValue('spec', qosClass, 'Pod QOS Class may not change as a result of resizing'),
    ]);
  }
  const metadata = Object.freeze({ ...stored.metadata, generation: (stored.metadata?.generation ?? 0) + 1 });
  return Object.freeze({ ...stored, metadata, spec });
}

function resizedList(
  list: 'containers' | 'initContainers',
  given: Pod,
  stored: PodSpec,
  problems: Problem[],
): Pick<PodSpec, 'containers' | 'initContainers'> {
  const wanted = new Map((given.spec?.[list] ?? []).map((container) => [container.name ?? '', container]));
  const known = stored[list];
  if (known === undefined) return {};
  for (const name of wanted.keys()) {
    if (known.some((container) => container.name === name)) continue;
    problems.push({ field: `spec.${list}`, reason: `Forbidden: there is no container ${quote(name)} to resize` });
  }
  return { [list]: known.map((container) => resizedContainer(container, wanted.get(container.name ?? ''))) };
}

function resizedContainer(container: Container, wanted: Container | undefined): Container {
  const { resources, ...others } = container;
  const next = wanted === undefined ? resources : wanted.resources;
  return next === undefined ? others : { ...others, resources: next };
}
