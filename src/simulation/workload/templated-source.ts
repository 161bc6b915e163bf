import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import type { PodTemplate } from '../../api/pod-template.ts';
import type { Distribution } from '../../lib/distribution.ts';
import type { Arrival, ArrivalSource } from './arrival.ts';
import type { ArrivalTimes } from './arrival-times.ts';
import type { SubmittedObject } from './submitted-object.ts';

/** The annotation by which node agents know how long containers run. */
export const RUN_DURATION = 'berth.dev/run-duration';

export interface TemplatedSourceOptions {
  readonly name: string;
  readonly template: SubmittedObject;
  readonly times: ArrivalTimes;
  /** How many objects arrive at each of the times. */
  readonly perTime: number;
  /** The time from the creation of an object until its user deletes it; absent if its user does not. */
  readonly lifetime: Distribution | undefined;
}

/** A source of copies of one object. If there may be several, their names are numbered from 0. */
export function templatedSource({ name, template, times, perTime, lifetime }: TemplatedSourceOptions): ArrivalSource {
  const count = times.count * perTime;
  const isNumbered = count > 1 && template.object.metadata?.name !== undefined;
  return {
    name,
    count,
    endMillis: times.lastMillis,
    *arrivals(prng): Generator<Arrival> {
      let number = 0;
      for (const atMillis of times.times(prng)) {
        for (let i = 0; i < perTime; i++) {
          const object = isNumbered ? numbered(template.object, number++) : template.object;
          const lifeMillis = lifetime?.drawMillis(prng) ?? Number.POSITIVE_INFINITY;
          yield { resource: template.resource, object, atMillis, deletionMillis: atMillis + lifeMillis };
        }
      }
    },
  };
}

function numbered(object: KubernetesObject, number: number): KubernetesObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, name: `${metadata?.name}-${number}` } };
}

/** The object with an annotation on its pods that sets how long their containers run. */
export function withRunDuration({ resource, object }: SubmittedObject, duration: string): SubmittedObject {
  if (resource === 'pods') return { resource, object: { ...object, metadata: annotated(object.metadata, duration) } };
  const { spec } = object as { readonly spec?: { readonly template?: PodTemplate } };
  const template = { ...spec?.template, metadata: annotated(spec?.template?.metadata, duration) };
  return { resource, object: { ...object, spec: { ...spec, template } } as KubernetesObject };
}

function annotated(metadata: ObjectMeta | undefined, duration: string): ObjectMeta {
  return { ...metadata, annotations: { ...metadata?.annotations, [RUN_DURATION]: duration } };
}
