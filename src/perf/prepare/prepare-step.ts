import type { KubernetesObject } from '../../api/meta.ts';
import type { Step, TemplateParams } from '../config/steps.ts';
import { type AnyObjects, churn, createAny, resourceOf, updateAny } from '../run/any-object.ts';
import { barrier } from '../run/await-pods.ts';
import { createNamespaces } from '../run/create-namespaces.ts';
import { createPods } from '../run/create-pods.ts';
import { deletePods } from '../run/delete-pods.ts';
import { createNodes, nodeFactory } from '../run/node-factory.ts';
import { podFactory } from '../run/pod-factory.ts';
import { allocResourceClaims, createResourceDriver } from '../run/resource-driver.ts';
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

/** Fields of a pod that refer to kinds that Berth does not have. */
const UNKNOWN_POD_FIELDS = ['workloadRef', 'schedulingGroup'];

const NO_PARAMS: TemplateParams = new Map();

interface Preparing {
  readonly step: Step;
  /** The index of the step in its workload. */
  readonly index: number;
  readonly library: TemplateLibrary;
  readonly defaultPodTemplatePath: string | undefined;
}

/** Prepares a step. @throws Unsupported; PerfError and what the source throws, when a file cannot be used */
export async function prepareStep(preparing: Preparing): Promise<PreparedStep> {
  const { step, index, library } = preparing;
  const makerOf = async (path: string, reading: Reading, params = NO_PARAMS, count = 1): Promise<ObjectMaker> =>
    (await library.template(path, reading)).maker(params, count);
  const anyOf = async (path: string, params = NO_PARAMS, count = 1): Promise<AnyObjects> => {
    const maker = await makerOf(path, 'untyped', params, count);
    const object: KubernetesObject = maker.at(0);
    const resource = resourceOf(object);
    if (resource !== undefined) return { resource, maker };
    throw new Unsupported(
      `${step.opcode}: objects of ${object.apiVersion ?? 'no version'} ${object.kind ?? 'no kind'}`,
    );
  };
  switch (step.opcode) {
    case 'createNodes': {
      const { nodeTemplatePath: path, templateParams, count } = step;
      const maker = path ? await makerOf(path, 'typed', templateParams, count) : undefined;
      return (context) => createNodes(context, count, nodeFactory(step, index, maker, context.names));
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
  if (pod !== undefined && path !== undefined) refuseUnknownFields(pod, library.fileOf(path));
  const isWithVolume = persistentVolumeTemplatePath && persistentVolumeClaimTemplatePath;
  const volume = isWithVolume ? await makerOf(persistentVolumeTemplatePath, 'typed') : undefined;
  const claim = isWithVolume ? await makerOf(persistentVolumeClaimTemplatePath, 'typed') : undefined;
  return (context) => createPods(context, step, podFactory(step, { pod, volume, claim }));
}

function refuseUnknownFields(maker: ObjectMaker, file: string): void {
  const { spec } = maker.at(0) as { readonly spec?: Readonly<Record<string, unknown>> };
  const unknown = UNKNOWN_POD_FIELDS.find((name) => spec?.[name] !== undefined);
  if (unknown !== undefined) throw new Unsupported(`createPods: spec.${unknown} in ${file}`);
}
