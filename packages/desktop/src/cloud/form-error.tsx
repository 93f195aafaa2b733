import type { CallError } from '../connection/channel.ts'
import { visibleText } from '../text/visible.ts'

/** Why a form was not accepted and what to do, read out as soon as it appears. */
export function FormError({ error }: { error: Pick<CallError, 'message' | 'remedy'> | null }) {
  return (
    <div role="alert" className="break-words text-bad text-sm empty:hidden">
      {error && (
        <>
          <p className="font-medium first-letter:uppercase">{visibleText(error.message)}</p>
          <p>{visibleText(error.remedy)}</p>
        </>
      )}
    </div>
  )
}
