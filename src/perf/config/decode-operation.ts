import {
  boolean,
  DecodeFailure,
  type Decoder,
  duration,
  int64,
  list,
  type Position,
  string,
  stringMap,
} from '../../config/decode/decoder.ts';
import { describe, type Value } from '../../config/decode/value.ts';
import { checked, fields, mapOf } from './fields.ts';
import type { CreatePods, Operation, ParamValue } from './operations.ts';

const NANOS_PER_MILLI = 1e6;
/** The interval of a churn that sets none, as upstream. */
const CHURN_INTERVAL_MILLIS = 500;

const count = checked(int64, 'a number >= 0', (number) => number >= 0);
const paramName = checked(string, 'the name of a parameter, such as $initPods', (name) => /^\$./.test(name));
const millis: Decoder<number> = (value, at) => {
  const nanos = duration({ nullable: true })(value, at);
  return nanos === undefined ? undefined : Number(nanos) / NANOS_PER_MILLI;
};
const strings = list(string, '');

/** Decodes a value of `params` or `templateParams`. */
export const paramValue: Decoder<ParamValue> = (value, { path }) => {
  if (value.kind === 'null') return undefined;
  if (value.kind === 'number') return Number(value.text);
  if (value.kind === 'string' || value.kind === 'boolean') return value.value;
  throw new DecodeFailure(`${path}: expected a number, a string or true or false, got ${describe(value)}`);
};

const counted = { opcode: string, count, countParam: paramName };
const templated = { templateParams: mapOf(paramValue) };

const createNodes = fields({
  ...counted,
  ...templated,
  nodeTemplatePath: string,
  nodeAllocatableStrategy: fields({
    nodeAllocatable: stringMap,
    csiNodeAllocatable: mapOf(fields({ count: int64 })),
    migratedPlugins: strings,
  }),
  labelNodePrepareStrategy: fields({ labelKey: string, labelValues: strings }),
  uniqueNodeLabelStrategy: fields({ labelKey: string }),
});

const createNamespaces = fields({ ...counted, prefix: string, namespaceTemplatePath: string });

const createPods = fields({
  ...counted,
  ...templated,
  countMultiplierParam: paramName,
  steadyState: boolean,
  steadyStateParam: paramName,
  duration: millis,
  durationParam: paramName,
  collectMetrics: boolean,
  namespace: string,
  podTemplatePath: string,
  skipWaitToCompletion: boolean,
  persistentVolumeTemplatePath: string,
  persistentVolumeClaimTemplatePath: string,
  signatureBatchSize: count,
  signatureBatchSizeParam: paramName,
});

const createPodSets = fields({ ...counted, namespacePrefix: string, createPodsOp: (value, at) => pods(value, at) });

const deletePods = fields({
  opcode: string,
  namespace: string,
  labelSelector: stringMap,
  skipWaitToCompletion: boolean,
  deletePodsPerSecond: count,
});

const churn = fields({
  opcode: string,
  mode: string,
  number: count,
  intervalMilliseconds: count,
  namespace: string,
  templatePaths: strings,
});

const barrier = fields({ opcode: string, namespaces: strings, labelSelector: stringMap, stageRequirement: string });
const sleep = fields({ opcode: string, duration: millis, durationParam: paramName });
const startCollecting = fields({ opcode: string, name: string, namespaces: strings, labelSelector: stringMap });
const stopCollecting = fields({ opcode: string });
const createAny = fields({ ...counted, ...templated, namespace: string, templatePath: string });
const updateAny = fields({
  ...counted,
  ...templated,
  namespace: string,
  templatePath: string,
  updatePerSecond: count,
  subresources: strings,
});

/** Decoders by opcode. The value is an object; they read all of its fields and fill in defaults. */
const DECODERS: Readonly<Record<string, (value: Value, at: Position) => Operation>> = {
  createNodes(value, at) {
    const { labelNodePrepareStrategy: labels, uniqueNodeLabelStrategy: unique, ...op } = given(createNodes, value, at);
    const { labelKey = '', labelValues = [] } = labels ?? {};
    if (labels && labelValues.length === 0) {
      throw new DecodeFailure(`${at.path}.labelNodePrepareStrategy.labelValues: must not be empty`);
    }
    return {
      ...op,
      opcode: 'createNodes',
      labelNodePrepareStrategy: labels && { labelKey, labelValues },
      uniqueNodeLabelStrategy: unique && { labelKey: unique.labelKey ?? '' },
    };
  },
  createNamespaces(value, at) {
    const op = given(createNamespaces, value, at);
    return { ...op, opcode: 'createNamespaces', prefix: needed(op.prefix, `${at.path}.prefix`) };
  },
  createPods: (value, at) => pods(value, at),
  createPodSets(value, at) {
    const { namespacePrefix, createPodsOp, ...op } = given(createPodSets, value, at);
    return {
      ...op,
      opcode: 'createPodSets',
      namespacePrefix: needed(namespacePrefix, `${at.path}.namespacePrefix`),
      createPodsOp: needed(createPodsOp, `${at.path}.createPodsOp`),
    };
  },
  deletePods(value, at) {
    const op = given(deletePods, value, at);
    const { labelSelector = {}, skipWaitToCompletion = false, deletePodsPerSecond = 0 } = op;
    const namespace = needed(op.namespace, `${at.path}.namespace`);
    return { opcode: 'deletePods', namespace, labelSelector, skipWaitToCompletion, deletePodsPerSecond };
  },
  churn(value, at) {
    const { mode = '', number = 0, intervalMilliseconds, namespace, templatePaths = [] } = given(churn, value, at);
    if (mode !== 'create' && mode !== 'recreate') throw oneOf(`${at.path}.mode`, mode, ['create', 'recreate']);
    if (mode === 'recreate' && number === 0) throw new DecodeFailure(`${at.path}.number: must be > 0 to recreate`);
    if (templatePaths.length === 0) throw new DecodeFailure(`${at.path}.templatePaths: must not be empty`);
    const intervalMillis = intervalMilliseconds || CHURN_INTERVAL_MILLIS;
    return { opcode: 'churn', mode, number, intervalMillis, namespace, templatePaths };
  },
  barrier(value, at) {
    const { namespaces = [], labelSelector = {}, stageRequirement } = given(barrier, value, at);
    const stage = stageRequirement || 'Scheduled';
    if (stage !== 'Scheduled' && stage !== 'Attempted') {
      throw oneOf(`${at.path}.stageRequirement`, stage, ['Scheduled', 'Attempted']);
    }
    return { opcode: 'barrier', namespaces, labelSelector, stageRequirement: stage };
  },
  sleep(value, at) {
    const { duration: durationMillis, durationParam } = given(sleep, value, at);
    return { opcode: 'sleep', durationMillis, durationParam };
  },
  startCollectingMetrics(value, at) {
    const { name = '', namespaces = [], labelSelector = {} } = given(startCollecting, value, at);
    if (namespaces.length === 0) throw new DecodeFailure(`${at.path}.namespaces: must not be empty`);
    return { opcode: 'startCollectingMetrics', name, namespaces, labelSelector };
  },
  stopCollectingMetrics(value, at) {
    given(stopCollecting, value, at);
    return { opcode: 'stopCollectingMetrics' };
  },
  createAny(value, at) {
    const op = given(createAny, value, at);
    return { ...op, opcode: 'createAny', templatePath: needed(op.templatePath, `${at.path}.templatePath`) };
  },
  updateAny(value, at) {
    const op = given(updateAny, value, at);
    return {
      ...op,
      opcode: 'updateAny',
      templatePath: needed(op.templatePath, `${at.path}.templatePath`),
      updatePerSecond: op.updatePerSecond ?? 0,
      subresources: op.subresources ?? [],
    };
  },
};

/** Decodes one entry of `workloadTemplate`. If the opcode is unknown, only its name is read. @throws DecodeFailure */
export const operation: Decoder<Operation> = (value, at) => {
  if (value.kind !== 'object') throw new DecodeFailure(`${at.path}: expected an object, got ${describe(value)}`);
  const member = value.members.find(({ key }) => key.toLowerCase() === 'opcode');
  const opcode = member && string(member.value, { ...at, path: `${at.path}.${member.key}` });
  if (!opcode) throw new DecodeFailure(`${at.path}.opcode: is required`);
  const decode = Object.hasOwn(DECODERS, opcode) ? DECODERS[opcode] : undefined;
  return decode === undefined ? { opcode: 'unknown', name: opcode } : decode(value, at);
};

function pods(value: Value, at: Position): CreatePods {
  const { duration: durationMillis, ...op } = given(createPods, value, at);
  if (op.collectMetrics && op.skipWaitToCompletion) {
    throw new DecodeFailure(`${at.path}: collectMetrics and skipWaitToCompletion exclude each other`);
  }
  if (op.steadyState && op.skipWaitToCompletion) {
    throw new DecodeFailure(`${at.path}: steadyState and skipWaitToCompletion exclude each other`);
  }
  return { ...op, opcode: 'createPods', durationMillis };
}

function given<T>(decode: Decoder<T>, value: Value, at: Position): T {
  return needed(decode(value, at), at.path);
}

function needed<T>(decoded: T | undefined, path: string): T {
  if (decoded === undefined || decoded === '') throw new DecodeFailure(`${path}: is required`);
  return decoded;
}

function oneOf(path: string, value: string, known: readonly string[]): DecodeFailure {
  return new DecodeFailure(`${path}: expected one of ${known.join(', ')}, got ${JSON.stringify(value)}`);
}
