import { type ReactNode, useEffect, useId, useRef } from 'react'

interface Props {
  readonly title: string
  readonly lead: string
  onClose(): void
  /** `close` returns the focus to where it was. */
  readonly children: (close: () => void) => ReactNode
}

/** A dialog over the conversation, open as long as it is rendered. */
export function MemoryDialog({ title, lead, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby={id} className="palette max-h-[85vh] overflow-y-auto">
      <div className="p-4">
        <h2 id={id} className="font-semibold text-lg tracking-tight">
          {title}
        </h2>
        <p className="mt-1 mb-4 text-soft text-sm">{lead}</p>
        {children(() => dialog.current?.close())}
      </div>
    </dialog>
  )
}
