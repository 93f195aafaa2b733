import { followLink, restoreAddress } from '../address.ts'
import { recoveryWords } from '../strings/recovery.ts'
import { words } from '../strings/window.ts'

/** Links a call to the recovery point before it. */
export function UndoLink({ run_id, checkpoint_id }: { run_id: string; checkpoint_id: string }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-faint text-sm">
      {words.cards.checkpoint}
      <a href={restoreAddress(run_id, checkpoint_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
        {recoveryWords.takeBack}
      </a>
    </p>
  )
}
