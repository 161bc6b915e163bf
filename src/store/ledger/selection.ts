import type { Selector } from '../../api/label-selector.ts';
import { parseLabelSelector } from '../../api/label-selector-text.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import { badRequest } from '../objects/api-error.ts';
import { RESOURCES, type Resource } from '../objects/resources.ts';
import type { SelectionOptions } from '../objects/store-client.ts';
import { type FieldRequirement, matchesField, parseFieldSelector } from './field-selector.ts';

export class Selection {
  /** The namespace; undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** The only name that is selected; undefined if there can be several. */
  readonly name: string | undefined;
  readonly #labels: Selector | undefined;
  readonly #fields: readonly FieldRequirement[];
  /** Whether every object of the resource is selected, as by most watches. */
  readonly #selectsAll: boolean;

  /** @throws ApiError BadRequest */
  constructor(resource: Resource, { namespace, labelSelector, fieldSelector }: SelectionOptions) {
    this.namespace = RESOURCES[resource].isNamespaced && namespace ? namespace : undefined;
    this.#labels = labelSelector ? compile(labelSelector) : undefined;
    this.#fields = fieldSelector ? parseFieldSelector(resource, fieldSelector) : [];
    this.name = this.wanted('metadata.name');
    this.#selectsAll = this.namespace === undefined && this.#labels === undefined && this.#fields.length === 0;
  }

  /** The value that the selection requires of the field, or undefined if it does not name the field. */
  wanted(field: string): string | undefined {
    for (const requirement of this.#fields) {
      if (requirement.isEqual && requirement.field === field) return requirement.value;
    }
    return undefined;
  }

  matches(object: KubernetesObject): boolean {
    if (this.#selectsAll) return true;
    const { metadata } = object;
    if (this.namespace !== undefined && metadata?.namespace !== this.namespace) return false;
    if (this.#labels !== undefined && !this.#labels.matches(metadata?.labels)) return false;
    for (const requirement of this.#fields) if (!matchesField(requirement, object)) return false;
    return true;
  }
}

function compile(text: string): Selector {
  const selector = parseLabelSelector(text);
  if ('error' in selector)
    throw badRequest(`unable to parse the label selector ${JSON.stringify(text)}: ${selector.error}`);
  return selector;
}
