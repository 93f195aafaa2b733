// The rules of the answer "always": what each covers, when and where it was granted, when it was last used, and a button that removes it.
import type { ListedRule } from '@tandem/contract/command'
import { useCallback, useEffect, useRef, useState } from 'react'
import { followLink, savedApprovalsAnchor, useAnchor } from '../address.ts'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useSyncArrivals } from '../client/use-sync-arrivals.ts'
import type { CallError } from '../connection/channel.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { LoadError } from '../part/load-error.tsx'
import { ruleText } from '../part/rule-text.ts'
import { Panel, Section } from '../part/section.tsx'
import { locale } from '../strings/locale.ts'
import { permissionWords as told } from '../strings/permissions.ts'
import { words } from '../strings/window.ts'
import { formatAgo } from '../text/ago.ts'
import { visibleText } from '../text/visible.ts'

export function SavedApprovals({ agent_id, onChange }: { agent_id: string; onChange(): void }) {
  const client = useRuntimeClient()
  const [rules, setRules] = useState<readonly ListedRule[] | null>(null)
  const [fault, setFault] = useState<CallError | null>(null)
  const [removed, setRemoved] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const isNamed = useAnchor() === savedApprovalsAnchor
  const load = useCallback(async () => {
    const answer = await readAll(client.channel, 'approval_rule_list', { agent_id })
    if (answer.ok) setRules(answer.value.items)
    setFault(answer.ok ? null : answer.error)
  }, [client, agent_id])
  const arrivals = useSyncArrivals('agent_tool_policies')
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes from other devices reload it, too
  useEffect(() => void load(), [load, arrivals])
  const isLoaded = rules !== null
  useEffect(() => {
    if (!isNamed || !isLoaded) return
    box.current?.scrollIntoView()
    box.current?.focus({ preventScroll: true })
  }, [isNamed, isLoaded])
  const remove = async ({ rule_id, tool, rule }: ListedRule) => {
    const answer = await client.call(told.doing, 'approval_rule_revoke', { rule_id })
    if (answer.ok) setRemoved(visibleText(told.removed(ruleText(rule, tool), tool)))
    // The button that had the focus is gone.
    box.current?.focus()
    await load()
    onChange()
  }
  return (
    <Section title={told.title} lead={told.lead}>
      <div ref={box} tabIndex={-1} className="scroll-mt-4 outline-none">
        {fault && <LoadError error={fault} again={load} />}
        {!rules && !fault && <p className="text-faint">{words.loading}</p>}
        <p role="status" className="mb-2 break-words text-good text-sm empty:hidden">
          {removed}
        </p>
        {rules?.length === 0 && <p className="text-faint">{told.none}</p>}
        {rules && rules.length > 0 && (
          <Panel>
            <ul>
              {rules.map((one) => (
                <SavedApproval key={one.rule_id} rule={one} now={client.clock.now()} onRemove={() => remove(one)} />
              ))}
            </ul>
          </Panel>
        )}
      </div>
    </Section>
  )
}

function SavedApproval({ rule: one, now, onRemove }: { rule: ListedRule; now: number; onRemove(): void }) {
  const { tool, rule, applies, last_used_at, uses } = one
  const covers = ruleText(rule, tool)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-72">
        <p className="break-words">
          <code className="text-cloud">{visibleText(tool)}</code> <bdi>{visibleText(covers)}</bdi>{' '}
          {!applies && <Badge tone="warn">{told.noLongerApplies}</Badge>}
        </p>
        <p className="break-words text-faint text-sm">
          <Granted rule={one} now={now} />
          {' · '}
          {last_used_at === null ? told.neverUsed : <Time at={last_used_at}>{told.used(uses, formatAgo(last_used_at, now))}</Time>}
        </p>
      </div>
      <Button aria-label={visibleText(told.removeNamed(covers, tool))} onClick={onRemove}>
        {told.remove}
      </Button>
    </li>
  )
}

function Granted({ rule: { granted_at, granted_in, granted_on }, now }: { rule: ListedRule; now: number }) {
  if (granted_at === null) return told.grantedOn[granted_on]
  return (
    <>
      <Time at={granted_at}>{told.granted(formatAgo(granted_at, now))}</Time>
      {granted_in && (
        <>
          {` ${told.grantedIn} `}
          <a
            href={`/c/${encodeURIComponent(granted_in.conversation_id)}`}
            onClick={followLink}
            className="text-cloud underline underline-offset-4"
          >
            <bdi>{visibleText(granted_in.title)}</bdi>
          </a>
        </>
      )}
    </>
  )
}

/** The exact time is its title. */
function Time({ at, children }: { at: string; children: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(locale)}>
      {children}
    </time>
  )
}
