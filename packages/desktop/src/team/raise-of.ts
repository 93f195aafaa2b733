// The texts of the form that raises a budget, as the parameters of its command.
import type { CommandParams } from '@tandem/contract/command'
import type { FormProblem } from '../part/form/use-form.ts'
import { teamWords } from '../strings/team.ts'

const told = teamWords.budget

export interface RaiseTexts {
  readonly tokens: string
  readonly turns: string
  readonly minutes: string
}

type Raise = Omit<CommandParams<'team_raise_budget'>, 'run_id'>

export function raiseOf(
  texts: RaiseTexts,
): { readonly ok: true; readonly value: Raise } | { readonly ok: false; readonly problem: FormProblem } {
  const value: Raise = {}
  for (const [name, field, times] of [
    ['tokens', 'tokens', 1],
    ['turns', 'turns', 1],
    ['minutes', 'seconds', 60],
  ] as const) {
    const text = texts[name].trim()
    if (text === '') continue
    const message = told.notNumber(told.more[name])
    if (!/^\d{1,9}$/.test(text) || Number(text) === 0) {
      return { ok: false, problem: { code: 'invalid_params', message, remedy: '', fields: [{ field, message }] } }
    }
    value[field] = Number(text) * times
  }
  return Object.keys(value).length > 0 ? { ok: true, value } : { ok: false, problem: { message: told.nothing, remedy: told.nothingRemedy } }
}
