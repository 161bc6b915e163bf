import type { NodeSelector, NodeSelectorRequirement } from '../../../api/node-selector.ts';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  Reach,
  ResourceClaim,
} from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import { deepFrozen } from '../../../lib/deep-frozen.ts';
import type { TakenDevice } from './search.ts';
import { AllocationError } from './selector-cache.ts';
import { shareIdOf } from './share-id.ts';

/** The node on which devices were found, and what selects it alone. */
export interface SelectedNode {
  readonly selector: NodeSelector;
}

/** Writes down what a claim got (upstream's AllocationResult). */
export function allocationResult(
  features: FeatureGates,
  claim: ResourceClaim,
  taken: readonly TakenDevice[],
  node: SelectedNode,
): AllocationResult | AllocationError {
  const nodeSelector = nodeSelectorOf(taken, node);
  if (nodeSelector instanceof AllocationError) return nodeSelector;
  const results = taken.map((device, place) => deviceResult(features, claim, device, place));
  const ofClasses = classConfigurations(taken);
  const ofClaim = claimConfigurations(claim, taken);
  const config = ofClasses.length === 0 ? ofClaim : [...ofClasses, ...ofClaim];
  const hasResults = results.length > 0 && config.length === 0;
  const devices = hasResults
    ? { results }
    : { ...(results.length > 0 && { results }), ...(config.length > 0 && { config }) };
  return nodeSelector === null ? { devices } : { devices, nodeSelector };
}

function deviceResult(
  { DRADeviceBindingConditions: hasConditions }: FeatureGates,
  claim: ResourceClaim,
  { plan, device: { device, slice }, consumption }: TakenDevice,
  place: number,
): DeviceRequestAllocationResult {
  const { request, resultName } = plan;
  const { bindingConditions = NO_CONDITIONS, bindingFailureConditions = NO_CONDITIONS } = device;
  const { driver, pool } = slice.spec;
  const result = { request: resultName, driver, pool: pool.name, device: device.name };
  const isPlain = request.adminAccess === undefined && request.tolerations === undefined && consumption === null;
  if (isPlain && bindingConditions.length === 0 && bindingFailureConditions.length === 0) return result;
  return {
    ...result,
    ...(request.adminAccess !== undefined && { adminAccess: request.adminAccess }),
    ...((request.tolerations ?? []).length > 0 && { tolerations: request.tolerations }),
    ...(hasConditions && bindingConditions.length > 0 && { bindingConditions }),
    ...(hasConditions && bindingFailureConditions.length > 0 && { bindingFailureConditions }),
    ...(consumption !== null && { shareID: shareIdOf(claim, place) }),
    ...(consumption !== null && Object.keys(consumption).length > 0 && { consumedCapacity: consumption }),
  };
}

const NO_CONDITIONS: readonly string[] = [];
const NO_CONFIGURATIONS: readonly DeviceAllocationConfiguration[] = [];

/** The configurations of the classes, each with all requests for devices of the class. */
function classConfigurations(taken: readonly TakenDevice[]): readonly DeviceAllocationConfiguration[] {
  if (!taken.some(({ plan }) => plan.deviceClass.spec?.config !== undefined)) return NO_CONFIGURATIONS;
  const requestsByClass = new Map<TakenDevice['plan']['deviceClass'], Set<string>>();
  for (const { plan } of taken) {
    const requests = requestsByClass.get(plan.deviceClass);
    if (requests === undefined) requestsByClass.set(plan.deviceClass, new Set([plan.resultName]));
    else requests.add(plan.resultName);
  }
  return [...requestsByClass].flatMap(([{ spec }, requests]) =>
    (spec?.config ?? []).map((config) => ({ ...config, source: 'FromClass', requests: [...requests] })),
  );
}

/** The configurations of the claim that are for all requests, or for one that was served, once for each such. */
function claimConfigurations(
  { spec }: ResourceClaim,
  taken: readonly TakenDevice[],
): readonly DeviceAllocationConfiguration[] {
  if (spec?.devices?.config === undefined) return NO_CONFIGURATIONS;
  const chosen = new Map(taken.map(({ plan }) => [plan.name.name, plan.resultName]));
  const requests = spec?.devices?.requests ?? [];
  return (spec?.devices?.config ?? []).flatMap((config) => {
    const entry = { ...config, source: 'FromClaim' };
    const wanted = config.requests ?? [];
    if (wanted.length === 0) return [entry];
    return requests
      .filter(({ name }) => wanted.includes(name) || wanted.includes(chosen.get(name) ?? ''))
      .map(() => entry);
  });
}

/** The nodes on which all the devices can be used; null for all nodes. */
function nodeSelectorOf(taken: readonly TakenDevice[], node: SelectedNode): NodeSelector | AllocationError | null {
  const [first] = taken;
  if (first !== undefined && bindsToNode(first)) return node.selector;
  const matchFields: NodeSelectorRequirement[] = [];
  const matchExpressions: NodeSelectorRequirement[] = [];
  for (const each of taken) {
    if (bindsToNode(each)) return node.selector;
    const terms = reachOf(each).nodeSelector?.nodeSelectorTerms ?? [];
    if (terms.length > 1) {
      return new AllocationError(`unsupported ResourceSlice.NodeSelector with ${terms.length} terms`);
    }
    for (const term of terms) {
      addNew(matchFields, term.matchFields);
      addNew(matchExpressions, term.matchExpressions);
    }
  }
  if (matchFields.length + matchExpressions.length === 0) return null;
  const term = {
    ...(matchFields.length > 0 && { matchFields }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
  return { nodeSelectorTerms: [term] };
}

function reachOf({ device: { device, slice } }: TakenDevice): Reach {
  return slice.spec.perDeviceNodeSelection === true ? device : slice.spec;
}

function bindsToNode(taken: TakenDevice): boolean {
  return Boolean(reachOf(taken).nodeName) || taken.device.device.bindsToNode === true;
}

/** What selects the node of this name alone, frozen, since the claims of a node share it. */
export function onNode(name: string): NodeSelector {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }];
  return deepFrozen({ nodeSelectorTerms: [{ matchFields }] });
}

function addNew(known: NodeSelectorRequirement[], more: readonly NodeSelectorRequirement[] = []): void {
  const textOf = ({ key, operator, values = [] }: NodeSelectorRequirement): string =>
    JSON.stringify([key, operator, values]);
  const texts = new Set(known.map(textOf));
  known.push(...more.filter((requirement) => !texts.has(textOf(requirement))));
}
