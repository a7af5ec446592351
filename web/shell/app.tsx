import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connection } from "../live/hub.ts";
import { DialogPlace } from "../parts/dialog.tsx";
import { Empty, Loading } from "../parts/states.tsx";
import { go, place } from "../routing/place.ts";
import { matchRoute, taskUrl, type Match, type PageName } from "../routing/routes.ts";
import { questions, answeredOf } from "../live/live-questions.ts";
import { NowPage } from "../pages/now/now-page.tsx";
import { Banner, SignedOut } from "./banner.tsx";
import { showHelp } from "./help.tsx";
import { useKeys } from "./keys.ts";
import { showPalette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { Toasts } from "./toasts.tsx";
import { showTitle } from "./title.ts";

type Page = ComponentType<{ match: Match }>;

// The first page is here; the others come when they are wanted.
const pages: Record<PageName, () => Promise<Page>> = {
  now: () => Promise.resolve(NowPage),
  tasks: async () => (await import("../pages/tasks/tasks-page.tsx")).TasksPage,
  task: async () => (await import("../pages/tasks/tasks-page.tsx")).TasksPage,
  sessions: async () => (await import("../pages/sessions/sessions-page.tsx")).SessionsPage,
  session: async () => (await import("../pages/sessions/sessions-page.tsx")).SessionsPage,
  search: async () => (await import("../pages/search/search-page.tsx")).SearchPage,
  usage: async () => (await import("../pages/usage/usage-page.tsx")).UsagePage,
  recover: async () => (await import("../pages/recover/recover-page.tsx")).RecoverPage,
  fleet: async () => (await import("../pages/fleet/fleet-page.tsx")).FleetPage,
  doctor: async () => (await import("../pages/doctor/doctor-page.tsx")).DoctorPage,
  trash: async () => (await import("../pages/trash/trash-page.tsx")).TrashPage,
  settings: async () => (await import("../pages/settings/settings-page.tsx")).SettingsPage,
};

export function App() {
  const match = matchRoute(place.value.path);
  useKeys({
    "?": showHelp,
    "Ctrl+k": showPalette,
    "g n": () => go("/"),
    "g t": () => go("/tasks"),
    "g s": () => go("/sessions"),
    "g /": () => go("/search"),
    "g u": () => go("/usage"),
    "g r": () => go("/recover"),
    "g f": () => go("/fleet"),
    "g d": () => go("/doctor"),
    n: () => goToWaiting(1),
    N: () => goToWaiting(-1),
    Escape: () => match?.page === "task" && go("/tasks"),
  });
  useEffect(() => showTitle(), []);
  if (connection.value.state === "refused") return <SignedOut />;
  return (
    <div class="app">
      <Rail current={match?.page} />
      <Banner />
      <main class="main" id="main">
        {match ? (
          <PagePlace match={match} />
        ) : (
          <Empty title="There is no such page">
            <a href="/">Go to what needs you now</a>
          </Empty>
        )}
      </main>
      <DialogPlace />
      <Toasts />
    </div>
  );
}

function PagePlace({ match }: { match: Match }) {
  const [loaded, setLoaded] = useState<{ name: PageName; page: Page }>({ name: "now", page: NowPage });
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isWanted = true;
    pages[match.page]().then(
      (page) => isWanted && (setFailed(false), setLoaded({ name: match.page, page })),
      () => isWanted && setFailed(true),
    );
    return () => {
      isWanted = false;
    };
  }, [match.page]);
  if (hasFailed)
    return (
      <Empty title="A part of the page cannot be loaded">
        <p>The server may have been started anew with another version.</p>
        <button type="button" class="button is-main" onClick={() => location.reload()}>
          Load the page again
        </button>
      </Empty>
    );
  if (pages[loaded.name] !== pages[match.page] && !isSamePage(loaded.name, match.page)) return <Loading />;
  return <loaded.page match={match} />;
}

// A list and what was chosen from it are one page.
function isSamePage(one: PageName, other: PageName): boolean {
  return one.replace(/s$/, "") === other.replace(/s$/, "");
}

// The next task that waits for an answer, from the one that is shown.
function goToWaiting(step: 1 | -1): void {
  const ids = [
    ...new Set(
      questions
        .peek()
        .filter(({ requestId }) => answeredOf(requestId) === undefined)
        .map(({ taskId }) => taskId),
    ),
  ];
  if (ids.length === 0) return;
  const at = ids.indexOf(matchRoute(place.peek().path)?.id ?? "");
  go(taskUrl(ids[at === -1 ? (step === 1 ? 0 : ids.length - 1) : (at + step + ids.length) % ids.length]!));
}
