import type { EffectiveToolPolicy } from '@tandem/contract/command'
import { approvalModes } from '@tandem/contract/tool'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Choice } from '../part/form/choice.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { words } from '../strings/window.ts'

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** `onSaved` is called with the text that the row then shows. */
export function PolicyForm({ effective, onSaved }: { effective: EffectiveToolPolicy; onSaved(said: string): void }) {
  const client = useRuntimeClient()
  const form = useForm({ doing: words.doing.policy })
  const { agent_id, tool, policy, source } = effective
  const [enabled, setEnabled] = useState(policy.enabled)
  const [mode, setMode] = useState(policy.approval_mode)
  const [calls, setCalls] = useState(String(policy.rate_limit.calls))
  const [per, setPer] = useState(String(policy.rate_limit.per_seconds))
  const [seconds, setSeconds] = useState(String(policy.time_limit.seconds))
  const [hosts, setHosts] = useState(policy.network_scope.hosts.join('\n'))
  const [roots, setRoots] = useState(policy.fs_scope.roots.join('\n'))
  const [globs, setGlobs] = useState(policy.fs_scope.globs.join('\n'))
  const heads = words.agents.policy
  const submit = async () => {
    const params = {
      agent_id,
      tool,
      policy: {
        enabled,
        approval_mode: mode,
        rate_limit: { calls: Number(calls), per_seconds: Number(per) },
        time_limit: { seconds: Number(seconds) },
        network_scope: { hosts: linesOf(hosts) },
        fs_scope: { roots: linesOf(roots), globs: linesOf(globs) },
      },
    }
    const answer = await form.send(() => client.channel.call('agent_tool_policy_set', params))
    if (answer.ok) onSaved(words.saved)
  }
  const reset = async () => {
    const answer = await form.send(() => client.channel.call('agent_tool_policy_reset', { agent_id, tool }))
    if (answer.ok) onSaved(words.saved)
  }
  return (
    <Form form={form} onSubmit={submit} className="grid max-w-3xl items-end gap-4 sm:grid-cols-2">
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={enabled} onChange={(event) => setEnabled(event.target.checked)} className="accent-(--cloud)" />
        {heads.enabled}
      </label>
      <Choice
        label={heads.approval_mode}
        values={approvalModes}
        value={mode}
        onChange={setMode}
        nameOf={(one) => words.agents.approvalModes[one]}
        mono={false}
      />
      <div className="grid grid-cols-2 items-end gap-2">
        <TextField
          label={`${heads.rate_limit} (${words.agents.calls})`}
          field="policy.rate_limit.calls"
          type="number"
          value={calls}
          onChange={setCalls}
        />
        <TextField label={words.agents.period} field="policy.rate_limit.per_seconds" type="number" value={per} onChange={setPer} />
      </div>
      <TextField
        label={`${heads.time_limit} (${words.agents.seconds})`}
        field="policy.time_limit.seconds"
        type="number"
        value={seconds}
        onChange={setSeconds}
      />
      <div className="self-start">
        <TextField
          label={`${heads.network_scope}. ${words.agents.hosts}`}
          field="policy.network_scope.hosts"
          rows={3}
          value={hosts}
          onChange={setHosts}
          mono
        />
      </div>
      <div className="grid gap-2">
        <TextField
          label={`${heads.fs_scope}. ${words.agents.roots}`}
          field="policy.fs_scope.roots"
          rows={2}
          value={roots}
          onChange={setRoots}
          mono
        />
        <TextField label={words.agents.globs} field="policy.fs_scope.globs" rows={2} value={globs} onChange={setGlobs} mono />
      </div>
      {tool.startsWith('mcp.') && <p className="text-faint text-sm sm:col-span-2">{words.agents.serverScopes}</p>}
      <FormActions className="sm:col-span-2">
        <PrimaryButton type="submit">{words.save}</PrimaryButton>
        {source === 'set' && <Button onClick={reset}>{words.agents.reset}</Button>}
      </FormActions>
    </Form>
  )
}
