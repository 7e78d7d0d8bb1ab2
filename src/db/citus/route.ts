/** How leads reach a node of a cluster: over its own address, or delegated by the coordinator. */
export const citusRoutes = ['direct', 'coordinator'] as const;
export type CitusRoute = (typeof citusRoutes)[number];
