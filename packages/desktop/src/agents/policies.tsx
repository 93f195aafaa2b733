// What an agent may do with each tool: all six fields, one row per tool, edited in place.
import type { EffectiveToolPolicy } from '@tandem/contract/command'
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import { useCallback, useEffect, useState } from 'react'
import { followLink, savedApprovalsAddress } from '../address.ts'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useNewestEventNumber } from '../client/use-request.ts'
import { useSyncArrivals } from '../client/use-sync-arrivals.ts'
import { TrialLinks, useTrials } from '../learning/candidate/trials.tsx'
import { candidateEvents } from '../learning/learning-events.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'
import { layersText } from './layer-text.ts'
import { PolicyForm } from './policy-form.tsx'

/** `removed`: how many saved approvals were removed while it is shown. */
export function Policies({ agent_id, removed }: { agent_id: string; removed: number }) {
  const client = useRuntimeClient()
  const [policies, setPolicies] = useState<readonly EffectiveToolPolicy[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [filter, setFilter] = useState('')
  const [open, setOpen] = useState<string | null>(null)
  /** The tool whose policy was saved last, until another one is opened. */
  const [saved, setSaved] = useState<{ readonly tool: string; readonly said: string } | null>(null)
  const load = useCallback(async () => {
    const answer = await readAll(client.channel, 'agent_tool_policy_list', { agent_id })
    if (answer.ok) setPolicies(answer.value.items)
    else setFault(`${visibleSentence(answer.error.message)} ${answer.error.remedy}`)
  }, [client, agent_id])
  const arrivals = useSyncArrivals('agent_tool_policies')
  const decided = useNewestEventNumber(candidateEvents)
  const trials = useTrials(agent_id, decided)
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes from other devices and of policy candidates reload it, too
  useEffect(() => void load(), [load, arrivals, removed, decided])
  const shown = (policies ?? []).filter(({ tool }) => tool.toLowerCase().includes(filter.trim().toLowerCase()))
  const { policy: heads } = words.agents
  return (
    <Section title={words.agents.policies} lead={words.agents.policiesLead}>
      <input
        type="search"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        aria-label={words.agents.filter}
        placeholder={words.agents.filter}
        className="field mb-3 w-full max-w-xs"
      />
      {fault && <p className="text-bad">{fault}</p>}
      {!policies && !fault && <p className="text-faint">{words.loading}</p>}
      {policies && (
        <Panel className="@container overflow-x-auto">
          <table className="w-full min-w-3xl text-left text-sm">
            <thead className="text-faint">
              <tr>
                {Object.values(heads).map((head) => (
                  <th key={head} scope="col" className="px-3 py-2 font-normal">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((effective) => (
                <PolicyRows
                  key={effective.tool}
                  effective={effective}
                  trials={trials}
                  isOpen={open === effective.tool}
                  said={saved?.tool === effective.tool ? saved.said : ''}
                  onToggle={() => {
                    setOpen(open === effective.tool ? null : effective.tool)
                    setSaved(null)
                  }}
                  onSaved={(said) => {
                    setOpen(null)
                    setSaved({ tool: effective.tool, said })
                    void load()
                  }}
                />
              ))}
            </tbody>
          </table>
        </Panel>
      )}
    </Section>
  )
}

const modeTones: Record<EffectiveToolPolicy['policy']['approval_mode'], Tone> = {
  auto: 'good',
  required: 'warn',
  manual_each_call: 'warn',
  deny: 'bad',
}

interface RowProps {
  readonly effective: EffectiveToolPolicy
  readonly trials: readonly PolicyCandidate[]
  readonly isOpen: boolean
  readonly said: string
  onToggle(): void
  onSaved(said: string): void
}

function PolicyRows({ effective, trials, isOpen, said, onToggle, onSaved }: RowProps) {
  const { agent_id, tool, policy, source, remembered, layers } = effective
  const changed = layersText(layers.in_force.filter(({ kind }) => kind !== 'configured'))
  const ignored = layersText(layers.ignored)
  const { enabled, approval_mode, rate_limit, time_limit, network_scope, fs_scope } = policy
  const hosts = visibleText(words.agents.hostsShort(network_scope.hosts))
  const files = visibleText(filesText(fs_scope))
  return (
    <>
      <tr className="border-line border-t align-top hover:bg-sunken">
        <th scope="row" className="px-3 py-2 font-normal">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={words.agents.edit(tool)}
            onClick={onToggle}
            className="rounded text-left"
          >
            <code className="text-cloud underline underline-offset-4">{visibleText(tool)}</code>
          </button>{' '}
          {source === 'set' && <Badge tone="cloud">{words.agents.set}</Badge>}{' '}
          <span role="status" className="text-good text-sm">
            {said}
          </span>
          {remembered.length > 0 && (
            <a
              href={savedApprovalsAddress(agent_id)}
              onClick={followLink}
              className="block text-cloud text-xs underline underline-offset-4"
            >
              {words.agents.remembered(remembered.length)}
            </a>
          )}
          {changed !== null && <span className="block text-faint text-xs">{words.agents.changedBy(changed)}</span>}
          <TrialLinks trials={trials} tool={tool} />
          {ignored !== null && <span className="block text-faint text-xs">{words.agents.layersIgnored(ignored)}</span>}
        </th>
        <td className="px-3 py-2">{enabled ? '✓' : '–'}</td>
        <td className="px-3 py-2">
          <Badge tone={modeTones[approval_mode]}>{words.agents.approvalModes[approval_mode]}</Badge>
        </td>
        <td className="px-3 py-2 whitespace-nowrap">
          {rate_limit.calls} / {rate_limit.per_seconds} {words.agents.seconds}
        </td>
        <td className="px-3 py-2 whitespace-nowrap">
          {time_limit.seconds} {words.agents.seconds}
        </td>
        <td title={hosts} className="max-w-40 truncate px-3 py-2">
          {hosts}
        </td>
        <td title={files} className="max-w-48 truncate px-3 py-2">
          {files}
        </td>
      </tr>
      {isOpen && (
        <tr className="border-line border-t bg-sunken">
          <td colSpan={7} className="py-3">
            {/* As wide as the visible part of the table, and always in it: only the table scrolls. */}
            <div className="sticky left-0 w-[100cqw] px-3">
              <PolicyForm effective={effective} onSaved={onSaved} />
            </div>
          </td>
        </tr>
      )}
    </>
  )
}

function filesText({ roots, globs }: EffectiveToolPolicy['policy']['fs_scope']): string {
  const text = `${roots.join(', ')} · ${globs.join(', ')}`
  return text === '. · **' ? words.agents.wholeWorkspace : text
}
