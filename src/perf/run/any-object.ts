import type { KubernetesObject } from '../../api/meta.ts';
import { combined } from '../../lib/combined.ts';
import { ApiError, unlessRefused } from '../../store/objects/api-error.ts';
import { RESOURCES, type Resource, type Resources } from '../../store/objects/resources.ts';
import type { ChurnStep, CreateAnyStep, UpdateAnyStep } from '../config/steps.ts';
import type { ObjectMaker } from '../template/object-template.ts';
import { atRate, inTasks, needNamespace, type RunContext, runDueTasks } from './run-context.ts';
import { startTicker } from './ticker.ts';

/** Objects of any kind, made from one template. */
export interface AnyObjects {
  readonly resource: Resource;
  readonly maker: ObjectMaker;
}

/** The resource of the object; undefined if the store has no such kind. */
export function resourceOf({ apiVersion, kind }: KubernetesObject): Resource | undefined {
  const resources = Object.keys(RESOURCES) as Resource[];
  return resources.find((name) => RESOURCES[name].kind === kind && RESOURCES[name].apiVersion === apiVersion);
}

export async function createAny(
  context: RunContext,
  { namespace, count }: Pick<CreateAnyStep, 'namespace' | 'count'>,
  objects: AnyObjects,
): Promise<void> {
  if (namespace) needNamespace(context, namespace);
  await inTasks(context, count, (i) => create(context, objects, namespace, i));
  await runDueTasks(context);
}

/**
 * Updates the objects, then their status if they have one. For pods, the subresource `resize` updates their requests.
 */
export async function updateAny(context: RunContext, step: UpdateAnyStep, objects: AnyObjects): Promise<void> {
  const { namespace, count, updatePerSecond, subresources } = step;
  const { store, driver } = context;
  if (namespace) needNamespace(context, namespace);
  const update = (index: number): void => {
    const { resource } = objects;
    const object = objectAt(objects, namespace, index);
    if (subresources.includes('resize')) store.resize(object as Resources['pods']);
    else store.update(resource, object);
    if ('status' in object) store.updateStatus(resource, object);
  };
  if (updatePerSecond === 0) {
    await inTasks(context, count, update);
    return;
  }
  if (count === 0) return;
  const ticker = atRate(context, updatePerSecond, count, update);
  await driver.until(() => ticker.isOver(), Number.POSITIVE_INFINITY);
}

/** Starts a churn, which goes on until the workload ends. */
export function churn(context: RunContext, step: ChurnStep, templates: readonly AnyObjects[]): void {
  const { mode, number, intervalMillis, namespace } = step;
  needNamespace(context, namespace);
  /** For `recreate`: by template, the names of the existing objects, by the number of their round. */
  const names = templates.map((): string[] => new Array(number).fill(''));
  let round = 0;
  const ticker = startTicker(context.loop, intervalMillis, () => {
    const slot = number === 0 ? 0 : round % number;
    for (const [i, objects] of templates.entries()) {
      const existing = (mode === 'recreate' && names[i]?.[slot]) || '';
      const name = existing === '' ? createIfPossible(context, objects, namespace) : '';
      if (existing !== '') unlessRefused(['NotFound'], () => remove(context, objects.resource, namespace, existing));
      if (mode === 'recreate') (names[i] as string[])[slot] = name;
    }
    round++;
    return mode === 'create' && number > 0 && round >= number ? 'over' : 'again';
  });
  context.background.push(ticker);
}

function create(
  { store }: RunContext,
  objects: AnyObjects,
  namespace: string | undefined,
  index: number,
): KubernetesObject {
  return store.create(objects.resource, objectAt(objects, namespace, index));
}

function objectAt({ resource, maker }: AnyObjects, namespace: string | undefined, index: number): Resources[Resource] {
  const object: KubernetesObject = maker.at(index);
  if (!RESOURCES[resource].isNamespaced || !namespace) return object;
  return combined(object, { metadata: combined(object.metadata, { namespace }) });
}

function remove({ store }: RunContext, resource: Resource, namespace: string, name: string): void {
  store.delete(resource, RESOURCES[resource].isNamespaced ? namespace : '', name);
}

/** Creates an object and returns its name, or '' if the API refuses, which a churn ignores. */
function createIfPossible(context: RunContext, objects: AnyObjects, namespace: string): string {
  try {
    return create(context, objects, namespace, 0).metadata?.name ?? '';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return '';
  }
}
