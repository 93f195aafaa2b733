/** How much of a bound skill a run receives, and when. */
export const bindingPolicies = ['summary_only', 'on_demand', 'always', 'full'] as const
export type BindingPolicy = (typeof bindingPolicies)[number]
export const defaultBindingPolicy: BindingPolicy = 'on_demand'

export const skillRoots = ['workspace', 'user', 'bundled'] as const
export type SkillRoot = (typeof skillRoots)[number]

export const bindingSources = ['user', 'recommendation'] as const
export type BindingSource = (typeof bindingSources)[number]

export const hostSystems = ['linux', 'darwin', 'windows'] as const
export type HostSystem = (typeof hostSystems)[number]
