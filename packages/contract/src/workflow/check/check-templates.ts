import { isLoop, nodeOutcomes, type WorkflowOutcome } from '../definition.ts'
import type { WorkflowDefinition } from '../schema.ts'
import { type Reference, referenceText, templateParts } from '../template.ts'
import type { WorkflowGraph } from './graph.ts'
import type { WorkflowIssue } from './issue.ts'
import { type TemplateText, templateTexts } from './texts.ts'
import { typeOfReference, typeTexts } from './value-type.ts'

/** Arguments that are or choose what is executed: only these fields of the tool may be filled in. */
const filledArguments: Readonly<Record<string, { readonly may: readonly string[]; readonly instead: string }>> = {
  'shell.exec': { may: ['cwd'], instead: 'Use script.run, and pass the values as its `args`.' },
  'script.run': { may: ['cwd', 'args'], instead: 'Pass the values as its `args`.' },
  'browser.eval': { may: ['frame'], instead: 'Use constant JavaScript.' },
}

/** Whether an argument of a tool may contain placeholders. */
export function mayBeFilled(tool: string, argument: string): boolean {
  return filledArguments[tool]?.may.includes(argument) ?? true
}

export function checkTemplates(definition: WorkflowDefinition, graph: WorkflowGraph): WorkflowIssue[] {
  const inputs = new Set(definition.inputs.map(({ name }) => name))

  function referenceProblem(reference: Reference, { ended, loops }: TemplateText): string | null {
    if (reference.of === 'inputs') return inputs.has(reference.name) ? partProblem(reference) : `there is no input ${reference.name}`
    const node = graph.node(reference.name)
    if (!node) return `there is no node ${reference.name}`
    if (reference.of === 'nodes') {
      const outcomes: readonly WorkflowOutcome[] = nodeOutcomes[node.kind]
      if (reference.field === 'error' && !outcomes.includes('failed')) return `a node of kind ${node.kind} does not fail`
      return ended.has(node.id) ? partProblem(reference) : `${node.id} has not ended at this point`
    }
    if (!isLoop(node)) return `${node.id} is of kind ${node.kind}, which is not a loop`
    if (!loops.has(node.id)) return `this is not within the loop ${node.id}`
    return reference.field === 'item' && node.kind === 'repeat' ? 'a loop of kind repeat has no items' : partProblem(reference)
  }

  function partProblem(reference: Reference): string | null {
    if (reference.path.length === 0) return null
    const whole = { ...reference, path: [] }
    const is = typeOfReference(whole, definition, graph)
    return is === 'any' || is === 'list' ? null : `${shown(whole)} is ${typeTexts[is]} and has no parts`
  }

  function problems({ way, text }: FoundText, place: TemplateText): string[] {
    const parts = templateParts(text).filter((part) => !('text' in part))
    if (parts.length === 0) return []
    const [, argument = ''] = way.split('/')
    const limited = place.tool === undefined ? undefined : filledArguments[place.tool]
    if (limited && !limited.may.includes(argument)) return [`placeholders are not allowed here, because it is executed. ${limited.instead}`]
    return parts.flatMap((part) => {
      if ('invalid' in part)
        return [`${part.invalid} is not a placeholder; write {{inputs.NAME}}, {{nodes.ID.output}} or {{loops.ID.item}}`]
      const problem = 'reference' in part ? referenceProblem(part.reference, place) : null
      return problem === null || !('reference' in part) ? [] : [`${shown(part.reference)}: ${problem}`]
    })
  }

  return templateTexts(definition, graph).flatMap((place) =>
    textsIn(place).flatMap((found) => {
      if ('problem' in found) return [{ pointer: place.pointer, message: found.problem }]
      const where = found.way === '' ? '' : `${found.way}: `
      return problems(found, place).map((message) => ({ pointer: place.pointer, message: `${where}${message}` }))
    }),
  )
}

function shown(reference: Reference): string {
  return `{{${referenceText(reference)}}}`
}

interface FoundText {
  /** Where it is in the JSON text. */
  readonly way: string
  readonly text: string
}

function textsIn({ form, text }: TemplateText): readonly (FoundText | { readonly problem: string })[] {
  if (form === 'text') return [{ way: '', text }]
  try {
    return textsOf(JSON.parse(text), '')
  } catch {
    return [{ problem: 'is not valid JSON, or is nested too deeply' }]
  }
}

function textsOf(value: unknown, way: string): readonly FoundText[] {
  if (typeof value === 'string') return [{ way, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => textsOf(item, `${way}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`))
}
