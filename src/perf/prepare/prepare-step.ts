import type { KubernetesObject } from '../../api/meta.ts';
import { inCurrentResourceVersion } from '../../manifests/resource-api-versions.ts';
import type { Resource } from '../../store/objects/resources.ts';
import { PerfError } from '../config/perf-error.ts';
import type { Step, TemplateParams } from '../config/steps.ts';
import { allocResourceClaims } from '../run/allocate-claims.ts';
import { type AnyObjects, churn, createAny, resourceOf, updateAny } from '../run/any-object.ts';
import { barrier } from '../run/await-pods.ts';
import { createNamespaces } from '../run/create-namespaces.ts';
import { createPods } from '../run/create-pods.ts';
import { deletePods } from '../run/delete-pods.ts';
import { createNodes, nodeFactory } from '../run/node-factory.ts';
import { podFactory } from '../run/pod-factory.ts';
import { createPodGroups, waitForPodGroups } from '../run/pod-groups.ts';
import { createResourceDriver } from '../run/resource-driver.ts';
import type { RunContext } from '../run/run-context.ts';
import type { ObjectMaker, Reading } from '../template/object-template.ts';
import type { TemplateLibrary } from './template-library.ts';

/** A workload needs something that Berth does not have, so it is not run; the message says what. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

/** A step whose files have been read and checked, so that they cannot fail when it runs. */
export type PreparedStep = (context: RunContext) => Promise<void>;

/** The subresources through which an update can be made. */
const SUBRESOURCES = ['resize', 'status'];

/** A field of a pod that referred to groups in v1.35, and is gone. */
const FORMER_GROUP_FIELD = 'workloadRef';

const NO_PARAMS: TemplateParams = new Map();

interface Preparing {
  readonly step: Step;
  /** The index of the step in its workload. */
  readonly index: number;
  readonly library: TemplateLibrary;
  readonly defaultPodTemplatePath: string | undefined;
  /** The features that all nodes declare besides those of their template. */
  readonly nodeFeatures: readonly string[];
  /** Receives the resources of which steps make objects, other than nodes, namespaces and pods. */
  readonly made: Set<Resource>;
}

/** Prepares a step. @throws Unsupported; PerfError and what the source throws, when a file cannot be used */
export async function prepareStep(preparing: Preparing): Promise<PreparedStep> {
  const { step, index, library, nodeFeatures, made } = preparing;
  const makerOf = async (path: string, reading: Reading, params = NO_PARAMS, count = 1): Promise<ObjectMaker> =>
    (await library.template(path, reading)).maker(params, count);
  const anyOf = async (path: string, params = NO_PARAMS, count = 1): Promise<AnyObjects> => {
    const maker = currentVersionMaker(await makerOf(path, 'untyped', params, count));
    const object: KubernetesObject = maker.at(0);
    const resource = resourceOf(object);
    if (resource !== undefined) {
      made.add(resource);
      return { resource, maker };
    }
    throw new Unsupported(
      `${step.opcode}: objects of ${object.apiVersion ?? 'no version'} ${object.kind ?? 'no kind'}`,
    );
  };
  switch (step.opcode) {
    case 'createNodes': {
      const { nodeTemplatePath: path, templateParams, count } = step;
      const maker = path ? await makerOf(path, 'typed', templateParams, count) : undefined;
      const source = { step, index, maker, features: nodeFeatures };
      return (context) => createNodes(context, count, nodeFactory({ ...source, names: context.names }));
    }
    case 'createNamespaces': {
      const path = step.namespaceTemplatePath;
      const template = path ? (await makerOf(path, 'typed')).at(0) : {};
      return (context) => createNamespaces(context, step, template);
    }
    case 'createPods':
      return preparePods(preparing, step, makerOf);
    case 'churn': {
      const templates = await Promise.all(step.templatePaths.map((path) => anyOf(path)));
      return async (context) => churn(context, step, templates);
    }
    case 'createAny': {
      const objects = await anyOf(step.templatePath, step.templateParams, step.count);
      return (context) => createAny(context, step, objects);
    }
    case 'createPodGroups': {
      const groups = await anyOf(step.templatePath, step.templateParams, step.count);
      if (groups.resource === 'podgroups') return (context) => createPodGroups(context, step, groups);
      throw new PerfError('InvalidPerfConfig', `${library.fileOf(step.templatePath)}: kind: must be PodGroup`);
    }
    case 'waitForPodGroups':
      return (context) => waitForPodGroups(context, step);
    case 'updateAny': {
      const unknown = step.subresources.find((name) => !SUBRESOURCES.includes(name));
      if (unknown !== undefined) throw new Unsupported(`updateAny: subresource ${unknown}`);
      const objects = await anyOf(step.templatePath, step.templateParams, step.count);
      return (context) => updateAny(context, step, objects);
    }
    case 'deletePods':
      return (context) => deletePods(context, step);
    case 'barrier':
      return (context) => barrier(context, step);
    case 'sleep':
      return ({ driver }) => driver.sleep(step.durationMillis);
    case 'createResourceDriver':
      return (context) => createResourceDriver(context, step);
    case 'allocResourceClaims':
      return (context) => allocResourceClaims(context, step.namespace);
    case 'startCollectingMetrics':
      return async ({ measurement }) => measurement.start({ ...step, labels: step.labelSelector });
    case 'stopCollectingMetrics':
      return async ({ measurement }) => measurement.stop();
    case 'unknown':
      throw new Unsupported(`opcode ${step.name}`);
  }
}

async function preparePods(
  { library, defaultPodTemplatePath }: Preparing,
  step: Extract<Step, { readonly opcode: 'createPods' }>,
  makerOf: (path: string, reading: Reading, params?: TemplateParams, count?: number) => Promise<ObjectMaker>,
): Promise<PreparedStep> {
  const { persistentVolumeTemplatePath, persistentVolumeClaimTemplatePath, templateParams, count } = step;
  const path = step.podTemplatePath || defaultPodTemplatePath;
  const pod = path ? await makerOf(path, 'typed', templateParams, count) : undefined;
  if (pod !== undefined && path !== undefined) refuseFormerGroups(pod, library.fileOf(path));
  const isWithVolume = persistentVolumeTemplatePath && persistentVolumeClaimTemplatePath;
  const volume = isWithVolume ? await makerOf(persistentVolumeTemplatePath, 'typed') : undefined;
  const claim = isWithVolume ? await makerOf(persistentVolumeClaimTemplatePath, 'typed') : undefined;
  return (context) => createPods(context, step, podFactory(step, { pod, volume, claim }));
}

function refuseFormerGroups(maker: ObjectMaker, file: string): void {
  const { spec } = maker.at(0) as { readonly spec?: Readonly<Record<string, unknown>> };
  if (spec?.[FORMER_GROUP_FIELD] === undefined) return;
  throw new Unsupported(`createPods: spec.${FORMER_GROUP_FIELD} in ${file}`);
}

/** Makes objects of older versions of the API for devices in the present one. */
function currentVersionMaker(maker: ObjectMaker): ObjectMaker {
  const first = maker.at(0);
  if (inCurrentResourceVersion(first) === first) return maker;
  return { at: (index) => inCurrentResourceVersion(maker.at(index)) };
}
