// "‹ 2 of 3 ›": where conversations part, the reader switches between them.
import { conversationAddress, goTo, messageAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { Icon } from '../part/icon.tsx'
import type { Fork } from '../store/branches.ts'
import { branchWords } from '../strings/branching.ts'

export function BranchSwitch({ fork: { choices, chosen } }: { fork: Fork }) {
  return (
    <nav aria-label={branchWords.switch} className="flex items-center justify-end gap-1 text-faint text-sm">
      <Step to={choices[chosen - 1]} label={branchWords.previous} className="rotate-180" />
      <span className="tabular-nums">{branchWords.position(chosen + 1, choices.length)}</span>
      <Step to={choices[chosen + 1]} label={branchWords.next} />
    </nav>
  )
}

function Step({ to, label, className = '' }: { to: string | undefined; label: string; className?: string }) {
  const first = useWindowState((state) => (to === undefined ? undefined : state.messages.get(to)?.keys().next().value))
  return (
    <button
      type="button"
      disabled={to === undefined}
      aria-label={label}
      title={label}
      onClick={() => to !== undefined && goTo(first === undefined ? conversationAddress(to) : messageAddress(to, first))}
      className="icon-button disabled:opacity-40"
    >
      <Icon name="chevron" size={14} className={className} />
    </button>
  )
}
