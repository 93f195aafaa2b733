import { useWindowState } from '../client/use-client.ts'

/** Shown on every page while it applies; it cannot be dismissed. Below the page: it appears late and must not move the content. */
export function WarningBar() {
  const warnings = useWindowState((state) => state.status?.warnings)
  return warnings?.map(({ code, message, remedy }) => (
    <div key={code} role="note" className="border-line border-t bg-warn-soft px-4 py-1.5 text-warn text-xs sm:text-sm">
      {message} {remedy}
    </div>
  ))
}
