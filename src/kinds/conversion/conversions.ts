import type { ApiObject } from '../object/json.ts';
import { autoscalerToV1, autoscalerToV2 } from './autoscalers.ts';
import { eventToCore, eventToEvents } from './events.ts';

type Conversion = (object: ApiObject) => ApiObject;

/** How the kinds that two versions or groups serve look in the other, by kind and the version that is wanted. */
const CONVERSIONS: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  Event: { v1: eventToCore, 'events.k8s.io/v1': eventToEvents },
  HorizontalPodAutoscaler: { 'autoscaling/v1': autoscalerToV1, 'autoscaling/v2': autoscalerToV2 },
};

/** The object as the version shows it. An object without a version is in the form that is wanted. */
export function convertedTo(apiVersion: string, object: ApiObject): ApiObject {
  const from = object['apiVersion'];
  if (from === undefined || from === '' || from === apiVersion) return object;
  const convert = CONVERSIONS[String(object['kind'])]?.[apiVersion];
  return convert === undefined ? object : { ...convert(object), apiVersion };
}
