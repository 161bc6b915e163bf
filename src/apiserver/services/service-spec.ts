import type { JsonObject } from '../../kinds/object/json.ts';

export interface ServicePort extends JsonObject {
  port: number;
  nodePort?: number;
  protocol?: string;
}

export interface ServiceSpec extends JsonObject {
  type?: string;
  clusterIP?: string;
  clusterIPs?: string[];
  ipFamilies?: string[];
  ipFamilyPolicy?: string;
  ports?: ServicePort[];
  externalTrafficPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  healthCheckNodePort?: number;
}
