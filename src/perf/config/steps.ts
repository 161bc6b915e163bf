import type { Operation, OperationOf, ParamValue, UnknownOperation } from './operations.ts';
import type { Params } from './params.ts';
import { PerfError } from './perf-error.ts';

/** The values that a template reads besides `.Index` and `.Count`. */
export type TemplateParams = ReadonlyMap<string, ParamValue>;

type Resolved<T> = Omit<T, `${string}Param` | 'templateParams' | 'count'> & {
  readonly count: number;
  readonly templateParams: TemplateParams;
};

export type NodesStep = Resolved<OperationOf<'createNodes'>>;
export type NamespacesStep = Omit<Resolved<OperationOf<'createNamespaces'>>, 'templateParams'>;
export type PodsStep = Omit<Resolved<OperationOf<'createPods'>>, 'namespace' | 'durationMillis'> & {
  readonly namespace: string;
  readonly durationMillis: number;
  /** `count` is a multiple of this, since so many pods belong together. */
  readonly countMultiplier: number;
};
export type ChurnStep = Omit<OperationOf<'churn'>, 'namespace'> & { readonly namespace: string };
export type CreateAnyStep = Resolved<OperationOf<'createAny'>>;
export type CreatePodGroupsStep = Resolved<OperationOf<'createPodGroups'>>;
export type WaitForPodGroupsStep = Omit<Resolved<OperationOf<'waitForPodGroups'>>, 'templateParams'>;
export type ResourceDriverStep = Omit<OperationOf<'createResourceDriver'>, 'maxClaimsPerNode'> & {
  readonly maxClaimsPerNode: number;
};
export type UpdateAnyStep = Resolved<OperationOf<'updateAny'>>;

/** An operation of one workload: parameters are replaced by their values, and each pod set is a step of its own. */
export type Step =
  | NodesStep
  | NamespacesStep
  | PodsStep
  | ChurnStep
  | CreateAnyStep
  | UpdateAnyStep
  | CreatePodGroupsStep
  | WaitForPodGroupsStep
  | ResourceDriverStep
  | OperationOf<'allocResourceClaims'>
  | OperationOf<'deletePods' | 'barrier' | 'sleep' | 'startCollectingMetrics' | 'stopCollectingMetrics'>
  | UnknownOperation;

/** The steps of a workload. A step's default namespace contains its index in the list. @throws PerfError */
export function stepsOf(operations: readonly Operation[], params: Params, title: string): Step[] {
  const unrolled = operations.flatMap((operation): Operation[] => {
    if (operation.opcode !== 'createPodSets') return [operation];
    const { namespacePrefix, createPodsOp } = operation;
    const sets = countOf(operation, params);
    return Array.from({ length: sets }, (_, i) => ({ ...createPodsOp, namespace: `${namespacePrefix}-${i}` }));
  });
  return unrolled.map((operation, i) => resolve(operation, i, params, title));
}

function resolve(operation: Operation, index: number, params: Params, title: string): Step {
  switch (operation.opcode) {
    case 'createNodes':
      return { ...operation, count: countOf(operation, params), templateParams: templateParams(operation, params) };
    case 'createNamespaces':
      return { ...operation, count: countOf(operation, params) };
    case 'createPods':
      return podsStep(operation, index, params, title);
    case 'churn':
      return { ...operation, namespace: operation.namespace || `namespace-${index}` };
    case 'sleep': {
      const { durationParam } = operation;
      return durationParam === undefined
        ? operation
        : { ...operation, durationMillis: params.durationMillis(durationParam) };
    }
    case 'createResourceDriver': {
      const { maxClaimsPerNode: count, maxClaimsPerNodeParam: countParam } = operation;
      return { ...operation, maxClaimsPerNode: countOf({ count, countParam }, params) };
    }
    case 'waitForPodGroups':
      return { ...operation, count: countOf(operation, params) };
    case 'createPodGroups':
      return { ...operation, count: countOf(operation, params), templateParams: templateParams(operation, params) };
    case 'createAny':
    case 'updateAny':
      return { ...operation, count: countOf(operation, params, 1), templateParams: templateParams(operation, params) };
    default:
      return operation as Exclude<Operation, { readonly opcode: 'createPodSets' }> & Step;
  }
}

function podsStep(operation: OperationOf<'createPods'>, index: number, params: Params, title: string): PodsStep {
  const { countMultiplierParam, steadyStateParam, durationParam, signatureBatchSizeParam } = operation;
  const countMultiplier = countMultiplierParam === undefined ? 1 : params.count(countMultiplierParam);
  const steadyState = steadyStateParam === undefined ? operation.steadyState : params.flag(steadyStateParam);
  const durationMillis = durationParam === undefined ? operation.durationMillis : params.durationMillis(durationParam);
  const signatureBatchSize =
    signatureBatchSizeParam === undefined ? operation.signatureBatchSize : params.count(signatureBatchSizeParam);
  if (steadyState && !(durationMillis && durationMillis > 0)) {
    const path = `workloadTemplate: operation ${index} (createPods)`;
    throw new PerfError('InvalidPerfConfig', `${title}: ${path}: a steady state needs a duration > 0`);
  }
  return {
    ...operation,
    count: countOf(operation, params) * countMultiplier,
    countMultiplier,
    templateParams: templateParams(operation, params),
    namespace: operation.namespace || `namespace-${index}`,
    durationMillis: durationMillis ?? 0,
    steadyState,
    signatureBatchSize,
  };
}

function countOf(
  { count, countParam }: { readonly count?: number | undefined; readonly countParam?: string | undefined },
  params: Params,
  otherwise = 0,
): number {
  return countParam === undefined ? (count ?? otherwise) : params.count(countParam);
}

function templateParams(
  { templateParams }: { readonly templateParams?: TemplateParams | undefined },
  params: Params,
): TemplateParams {
  const isReference = (value: ParamValue): value is string => typeof value === 'string' && value.startsWith('$');
  const entries = [...(templateParams ?? [])];
  return new Map(entries.map(([name, value]) => [name, isReference(value) ? params.value(value) : value]));
}
