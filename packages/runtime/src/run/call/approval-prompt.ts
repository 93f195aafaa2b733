// What a user is shown before a call runs. Composed twice: with the paths of this device for the user, and with marked paths for the
// journal, which is synchronized.
import { commandEffectLine, fileEffectLine, type RewritePath } from '@tandem/contract/marked-path'
import { type ApprovalPrompt, approvalChoices } from '@tandem/contract/run'
import { hasNoRecoveryPoint } from '../../checkpoint/plan.ts'
import { quotaSetting } from '../../checkpoint/quota.ts'
import { withRulePath } from '../../journal/recorded-step.ts'
import type { AskedCall, ReadyCall } from '../../pipeline/prepared-call.ts'
import { isBackground, planText } from '../recovery/checkpointing.ts'

export function approvalPrompt(
  ids: Pick<ApprovalPrompt, 'approval_id' | 'call_id' | 'tool'>,
  asked: AskedCall,
  workspace: string,
  written: RewritePath = (path) => path,
): ApprovalPrompt {
  const promised = planText(asked.plan, isBackground(asked.input), written)
  const unprotected = asked.plan !== null && hasNoRecoveryPoint(asked.plan)
  const notes = [...asked.notes, ...promised.notes]
  const warnings = [...(unprotected ? [noSpace] : []), ...asked.warnings]
  // A call with a warning is approved once: what to check differs for later calls, and available space changes.
  const isOnce = warnings.length > 0
  return {
    ...ids,
    arguments: asked.arguments,
    working_directory: written(workspace),
    fingerprint: asked.fingerprint,
    touches: asked.effects.map((effect) => touch(effect, written)),
    protected: [...promised.protected],
    unprotected: [...unprotectedMachines(asked.effects), ...promised.unprotected],
    remembers: isOnce ? [] : asked.remembers.map((rule) => withRulePath(rule, written)),
    warnings,
    ...(notes.length > 0 ? { notes } : {}),
    policy_layers: asked.layers,
    choices: [...(isOnce ? approvalChoices('manual_each_call') : asked.choices)],
  }
}

const noSpace = `The space for recovery points is used up, so none can be created, and what this call changes cannot be restored. To allow more space, set ${quotaSetting} to a larger number of gigabytes and restart Tandem.`

function unprotectedMachines(effects: ReadyCall['effects']): string[] {
  return effects.flatMap((effect) =>
    effect.does === 'execute_remotely'
      ? [`Everything that the command changes on ${effect.executor}: nothing on that machine is protected`]
      : [],
  )
}

function touch(effect: ReadyCall['effects'][number], written: RewritePath): string {
  switch (effect.does) {
    case 'read':
    case 'write':
    case 'delete':
      return fileEffectLine(effect.does, written(effect.path))
    case 'fetch':
    case 'send':
      return `${effect.does === 'fetch' ? 'fetch from' : 'send to'} ${effect.host}`
    case 'execute':
      return commandEffectLine(shortened(effect.command), written(effect.cwd))
    case 'execute_remotely':
      return `run on ${effect.executor}: ${shortened(effect.command)}`
    case 'signal':
      return `end process ${effect.pid}`
    case 'note':
      return "change Tandem's own records"
  }
}

/** The arguments contain all of it. */
function shortened(command: string): string {
  return command.length <= 2_000 ? command : `${command.slice(0, 2_000)}…`
}
