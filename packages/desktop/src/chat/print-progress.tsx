// Covers a conversation while it is prepared for printing.
import { Button } from '../part/form/button.tsx'
import { printWords } from '../strings/printing.ts'

/** `done` is null while messages are being loaded. */
export function PrintProgress({ done, all, onCancel }: { done: number | null; all: number; onCancel(): void }) {
  return (
    <div className="absolute inset-0 z-20 flex flex-col items-center justify-center gap-3 bg-canvas">
      <p role="status">{done === null ? printWords.loading : printWords.preparing(done, all)}</p>
      <Button onClick={onCancel}>{printWords.cancel}</Button>
    </div>
  )
}
