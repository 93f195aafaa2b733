import { CopyButton } from '../part/copy-button.tsx'

export function CodeBlock({ language, text }: { language: string; text: string }) {
  return (
    <figure className="code-block group/code">
      <figcaption className="flex items-center justify-between">
        <span>{language}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <pre tabIndex={0} dir="ltr">
        <code>{text}</code>
      </pre>
    </figure>
  )
}
