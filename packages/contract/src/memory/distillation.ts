// How a successful run becomes a procedural memory.

export const proceduralPolicyModes = ['heuristic', 'adaptive', 'llm_first'] as const
export type ProceduralPolicyMode = (typeof proceduralPolicyModes)[number]
export const defaultProceduralPolicyMode: ProceduralPolicyMode = 'adaptive'

/** A flow of at least this many steps is complex, unless a policy sets another number. */
export const defaultComplexFlowSteps = 6

export const distillerNames = ['heuristic', 'llm'] as const
export type Distiller = (typeof distillerNames)[number]

/** The distillers to try, in order; the next one is used only if the one before it fails. */
export function distillers(mode: ProceduralPolicyMode, flow: { readonly complex: boolean }): readonly Distiller[] {
  if (mode === 'heuristic') return ['heuristic']
  return mode === 'llm_first' || flow.complex ? ['llm', 'heuristic'] : ['heuristic']
}
