/* SIM_TRACE: a timeline that Perfetto and chrome://tracing open.
 *
 * The file is a JSON array of trace events. A process is the host or a
 * device; its lanes are the host's threads, or the device's streams and
 * engines, a task standing in both. Arrows go from the task waited for to the
 * one that waited. Times are simulated, in microseconds as the format asks.
 * A program that is killed leaves the array open, which viewers accept.
 *
 * source  Google, Trace Event Format */
#include "trace.h" // defines: this file's interface

#include <errno.h>  // defines: errno
#include <fcntl.h>  // defines: F_SETFD, FD_CLOEXEC
#include <stdio.h>  // defines: FILE, fprintf
#include <stdlib.h> // defines: atexit, realloc
#include <string.h> // defines: strerror
#include <unistd.h> // defines: getpid

/* Lane numbers of a device: engines below, streams from here on. */
enum { HOST_PROCESS = 1, FIRST_STREAM_LANE = 10, N_LANES = 4096 };

/* Where a task stands, for the arrows that start there. */
typedef struct Place {
    int process, lane;
    int64_t start_ns, end_ns;
} Place;

static FILE *out;
static pid_t owner;
static bool is_first; // no event written yet
static Place *places; // by task id
static uint64_t n_places;
static uint64_t n_arrows;
static unsigned char named[MACHINE_MAX_GPUS + 2][N_LANES / 8];

static void close_trace(void)
{
    if (!out)
        return;
    if (getpid() == owner) { // not in a child made by fork
        fputs("\n]\n", out);
        fclose(out);
    }
    out = NULL;
    free(places);
    places = NULL;
    n_places = 0;
}

bool trace_open(const char *value, char *why, size_t why_bytes)
{
    if (!value || !*value)
        return true;
    out = fopen(value, "w");
    if (!out) {
        snprintf(why, why_bytes,
                 "SIM_TRACE=%.200s cannot be written: %s; it is the path of "
                 "the JSON file to make.",
                 value, strerror(errno));
        return false;
    }
    fcntl(fileno(out), F_SETFD, FD_CLOEXEC);
    setvbuf(out, NULL, _IOLBF, 0); // so that a crash loses nothing
    owner = getpid();
    is_first = true;
    fputs("[\n", out);
    atexit(close_trace);
    return true;
}

bool trace_is_on(void)
{
    return out != NULL;
}

/* A JSON string; control characters and what is not ASCII become '?'. */
static void put_text(const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fputc('\\', out);
        fputc(c < ' ' || c > '~' ? '?' : c, out);
    }
    fputc('"', out);
}

/* Begin an event: what every kind has. */
static void begin_event(const char *phase, int process, int lane,
                        const char *name)
{
    fputs(is_first ? "" : ",\n", out);
    is_first = false;
    fprintf(out, "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d,\"name\":", phase,
            process, lane);
    put_text(name);
}

static void put_time(const char *key, int64_t ns)
{
    fprintf(out, ",\"%s\":%lld.%03d", key, (long long)(ns / 1000),
            (int)(ns % 1000));
}

static void put_name(const char *what, int process, int lane, const char *name)
{
    begin_event("M", process, lane, what);
    fputs(",\"args\":{\"name\":", out);
    put_text(name);
    fputs("}}", out);
}

/* True once per process and lane. */
static bool is_new(int process, int lane)
{
    if (process >= MACHINE_MAX_GPUS + 2 || lane >= N_LANES)
        return false;
    unsigned char bit = (unsigned char)(1u << lane % 8);
    unsigned char *byte = &named[process][lane / 8];
    bool result = !(*byte & bit);
    *byte |= bit;
    return result;
}

static void name_device(int process, const Device *device)
{
    char text[MACHINE_NAME + 32];
    if (!is_new(process, 0))
        return;
    snprintf(text, sizeof(text), "cuda:%d %s", device->ordinal,
             device->model->name);
    put_name("process_name", process, 0, text);
}

static void name_lane(int process, int lane, Engine engine, int stream)
{
    static const char *const engines[N_ENGINES] = {
        "no engine", "compute engine", "copy engine in", "copy engine out"};
    char text[32];
    if (!is_new(process, lane))
        return;
    if (lane < FIRST_STREAM_LANE)
        snprintf(text, sizeof(text), "%s", engines[engine]);
    else if (stream == 0)
        snprintf(text, sizeof(text), "default stream");
    else
        snprintf(text, sizeof(text), "stream %d", stream);
    put_name("thread_name", process, lane, text);
}

static void put_slice(int process, int lane, const Task *task)
{
    begin_event("X", process, lane, task->name);
    put_time("ts", task->start_ns);
    put_time("dur", task->end_ns - task->start_ns);
    fprintf(out, ",\"args\":{\"task\":%llu,\"bytes\":%llu}}",
            (unsigned long long)task->id, (unsigned long long)task->bytes);
}

void trace_call(int thread, const char *name, int64_t begin_ns, int64_t end_ns)
{
    if (!out)
        return;
    if (is_new(HOST_PROCESS, 0))
        put_name("process_name", HOST_PROCESS, 0, "host");
    if (is_new(HOST_PROCESS, thread + 1)) {
        char text[32];
        snprintf(text, sizeof(text), "thread %d", thread);
        put_name("thread_name", HOST_PROCESS, thread + 1, text);
    }
    begin_event("X", HOST_PROCESS, thread + 1, name);
    put_time("ts", begin_ns);
    put_time("dur", end_ns - begin_ns);
    fputc('}', out);
}

static void remember(uint64_t id, Place place)
{
    if (id >= n_places) {
        uint64_t room = id * 2 + 64;
        Place *more = realloc(places, room * sizeof(*more));
        if (!more)
            return; // this task starts no arrow
        memset(more + n_places, 0, (room - n_places) * sizeof(*more));
        places = more;
        n_places = room;
    }
    places[id] = place;
}

static void put_arrow(uint64_t from, const Place *to)
{
    if (from >= n_places || places[from].process == 0)
        return;
    const Place *source = &places[from];
    // An arrow starts inside its slice: at the last nanosecond of it.
    int64_t at = source->end_ns > source->start_ns ? source->end_ns - 1
                                                   : source->start_ns;
    n_arrows++;
    begin_event("s", source->process, source->lane, "wait");
    put_time("ts", at);
    fprintf(out, ",\"cat\":\"wait\",\"id\":%llu}",
            (unsigned long long)n_arrows);
    begin_event("f", to->process, to->lane, "wait");
    put_time("ts", to->start_ns);
    fprintf(out, ",\"cat\":\"wait\",\"bp\":\"e\",\"id\":%llu}",
            (unsigned long long)n_arrows);
}

void trace_task(const Task *task)
{
    if (!out)
        return;
    const Device *device = task->device;
    int process = HOST_PROCESS + 1 + device->ordinal;
    int lane = FIRST_STREAM_LANE + task->stream->id;
    Place place = {process, lane, task->start_ns, task->end_ns};
    name_device(process, device);
    name_lane(process, lane, ENGINE_NONE, task->stream->id);
    put_slice(process, lane, task);
    if (task->engine != ENGINE_NONE) {
        const Device *other =
            task->engine_device ? task->engine_device : device;
        int other_process = HOST_PROCESS + 1 + other->ordinal;
        name_device(other_process, other);
        name_lane(other_process, (int)task->engine, task->engine, 0);
        put_slice(other_process, (int)task->engine, task);
    }
    if (task->peer && task->peer_engine != ENGINE_NONE) {
        int peer_process = HOST_PROCESS + 1 + task->peer->ordinal;
        name_device(peer_process, task->peer);
        name_lane(peer_process, (int)task->peer_engine, task->peer_engine, 0);
        put_slice(peer_process, (int)task->peer_engine, task);
    }
    for (int i = 0; i < task->n_flows; i++)
        put_arrow(task->flow_from[i], &place);
    remember(task->id, place);
}
