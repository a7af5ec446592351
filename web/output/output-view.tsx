import { useEffect, useRef, useState } from "preact/hooks";
import { fileUrl } from "../api/ask.ts";
import { formatBytes } from "../../src/lib/quantities.ts";
import { VirtualList } from "../list/virtual-list.tsx";
import { asApiError } from "../parts/asked.ts";
import type { ApiError } from "../api/api-error.ts";
import { Icon } from "../parts/icon.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { place } from "../routing/place.ts";
import { useKeys } from "../shell/keys.ts";
import { prefer, preferences } from "../shell/preferences.ts";
import { sayError } from "../shell/toasts.tsx";
import { ByteBar } from "./byte-bar.tsx";
import { FindInOutput, useFound } from "./find-in-output.tsx";
import { OutputLineView } from "./output-line.tsx";
import { OutputSource, type StreamName } from "./output-source.ts";

/** Rows from an end at which more is read. */
const NEAR_ROWS = 60;

/** The output of a task: follows its end, or stays where one reads, whatever its size. */
export function OutputView({
  id,
  streams,
  isRunning,
}: {
  id: string;
  streams: readonly { stream: StreamName; bytes: number }[];
  isRunning: boolean;
}) {
  const [stream, setStream] = useState(() => firstWithBytes(streams));
  const [, redraw] = useState(0);
  const [error, setError] = useState<ApiError>();
  const [source, setSource] = useState<OutputSource>();
  const [isFollowing, setFollowing] = useState(true);
  const [first, setFirst] = useState(0);
  const list = useRef<VirtualList>(null);
  const found = useFound(id, stream, (byte) => void goTo(byte));
  const { wrapsOutput } = preferences.value;

  useEffect(() => {
    let isQueued = false;
    // However fast it comes, it is drawn once a frame.
    const made = new OutputSource(id, stream, () => {
      if (isQueued) return;
      isQueued = true;
      requestAnimationFrame(() => {
        isQueued = false;
        redraw((old) => old + 1);
      });
    });
    setSource(undefined);
    setError(undefined);
    const byte = Number(place.peek().mark.get("b") ?? Number.NaN);
    made.open(Number.isFinite(byte) ? byte : undefined).then(
      () => setSource(made),
      (cause: unknown) => setError(asApiError(cause)),
    );
    setFollowing(!Number.isFinite(byte));
    return () => made.close();
  }, [id, stream]);

  const goTo = async (byte: number): Promise<void> => {
    if (!source) return;
    try {
      if (byte < source.buffer.from || byte >= source.buffer.to) await source.goTo(byte);
      setFollowing(false);
      redraw((old) => old + 1);
      requestAnimationFrame(() => list.current?.scrollTo(source.buffer.indexOf(byte), "middle"));
    } catch (cause) {
      sayError(cause);
    }
  };
  const goToEnd = async (): Promise<void> => {
    await source?.goToEnd().catch(sayError);
    requestAnimationFrame(() => list.current?.scrollToEnd());
  };
  useKeys({
    f: () => void goToEnd(),
    Home: () => void goTo(source?.cutBytes ?? 0),
    End: () => void goToEnd(),
  });

  if (error) return <Trouble error={error} />;
  if (!source) return <Loading />;
  const { buffer } = source;
  if (isFollowing) source.unread = 0;
  const marked = found.current === undefined ? -1 : buffer.indexOf(found.current);
  return (
    <>
      <div class="tool-strip">
        {streams.length > 1 && (
          <select
            class="field"
            aria-label="Stream"
            value={stream}
            onChange={(event) => setStream(event.currentTarget.value as StreamName)}
          >
            {streams.map(({ stream: name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        <FindInOutput found={found} />
        <span class="third push">{formatBytes(source.bytes)}</span>
        <button
          type="button"
          class="button is-quiet"
          aria-pressed={wrapsOutput}
          onClick={() => prefer({ wrapsOutput: !wrapsOutput })}
        >
          Wrap
        </button>
        <button
          type="button"
          class="button is-quiet is-icon"
          aria-label="Go to the beginning"
          title="Beginning (Home)"
          onClick={() => void goTo(source.cutBytes)}
        >
          <Icon name="up" />
        </button>
        <button
          type="button"
          class="button is-quiet is-icon"
          aria-label="Go to the end"
          title="End (f)"
          onClick={() => void goToEnd()}
        >
          <Icon name="down" />
        </button>
        <a
          class="button is-quiet is-icon"
          aria-label="Download the output"
          title="Download"
          download
          href={fileUrl("GET /api/tasks/{id}/output/file", { path: { id }, query: { stream } })}
        >
          <Icon name="file" />
        </a>
      </div>
      <div class={`output ${wrapsOutput ? "wraps" : ""}`}>
        {source.isMissing && !isRunning ? (
          <Empty title="The output file is gone">
            <p>Somebody removed it. The record and the ending are still here.</p>
          </Empty>
        ) : source.bytes === 0 ? (
          <Empty title={isRunning ? "Nothing was printed yet" : "It printed nothing"} />
        ) : (
          <>
            <VirtualList
              handle={list}
              label="Output"
              role="log"
              count={buffer.lines.length}
              origin={buffer.origin}
              estimate={18}
              generation={wrapsOutput ? "wrapped" : "lines"}
              follows={source.hasEnd}
              onFollow={setFollowing}
              onRange={({ from, to, first: top }) => {
                setFirst(top);
                if (from - buffer.origin < NEAR_ROWS) void source.extend("start").catch(sayError);
                if (buffer.origin + buffer.lines.length - to < NEAR_ROWS)
                  void source.extend("end").catch(sayError);
              }}
            >
              {(index) => <OutputLineView line={buffer.lineAt(index)} isFound={index === marked} />}
            </VirtualList>
            <ByteBar
              bytes={source.bytes}
              from={buffer.lineAt(first)?.at ?? buffer.from}
              isAtEnd={isFollowing && source.hasEnd}
              marks={found.marks}
              onGoTo={(byte) => void goTo(byte)}
            />
            {!isFollowing && source.unread > 0 && (
              <button type="button" class="button pill" onClick={() => void goToEnd()}>
                <Icon name="down" /> {formatBytes(source.unread)} new
              </button>
            )}
          </>
        )}
      </div>
    </>
  );
}

// Of a command that only complained, the complaint.
function firstWithBytes(streams: readonly { stream: StreamName; bytes: number }[]): StreamName {
  return (streams.find(({ bytes }) => bytes > 0) ?? streams[0])?.stream ?? "stdout";
}
