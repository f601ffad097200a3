/* Scatter and gather: the chunk rule, places, gradients, trees.
 *
 * Counterparts of PyTorch's test_data_parallel.py: scatter_cpu, scatter_gpu,
 * gather_cpu, gather_gpu, gather_different_len_dicts. */
#include "../nn/values.h"                 // defines: ASSERT_VALUES, IN_SCOPE
#include "base/warn.h"                    // defines: warn_to
#include "device/ledger.h"                // defines: ledger_now
#include "parallel/scatter_gather.h"      // defines: scatter, gather
#include "parallel/tree_scatter_gather.h" // defines: tree_scatter

static const int IDS[] = {0, 1, 2, 3, 4, 5, 6, 7};

static char last_warning[1024];

static void remember(const char *text)
{
    snprintf(last_warning, sizeof last_warning, "%s", text);
}

static Tensor *ramp(Shape s, Device place)
{
    Tensor *row =
        tensor_arange(FLOAT32, 0, (double)shape_count(s), 1, device_cpu());
    return tensor_to(tensor_reshape(row, s), place);
}

/* seeds 4.9, T4, T11: size, GPUs -> the pieces */
static void chunks_are_cut_as_torch_chunk_cuts(void **state)
{
    (void)state;
    const struct {
        int64_t size;
        int n;
        const char *pieces;
    } cases[] = {
        {16, 2, "8 8"},          {2, 2, "1 1"},   {10, 4, "3 3 3 1"},
        {5, 4, "2 2 1"},         {6, 4, "2 2 2"}, {9, 8, "2 2 2 2 1"},
        {7, 8, "1 1 1 1 1 1 1"}, {1, 8, "1"},     {20, 8, "3 3 3 3 3 3 2"},
        {0, 3, "0 0 0"},         {16, 1, "16"},   {3, 0, ""},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        int64_t sizes[8];
        char text[64] = "";
        int n = chunk_sizes(cases[c].size, cases[c].n, sizes);
        for (int i = 0; i < n; i++)
            sprintf(text + strlen(text), "%s%lld", i ? " " : "",
                    (long long)sizes[i]);
        assert_string_equal(text, cases[c].pieces);
    }
}

static void check_scatter(Device source)
{
    Tensor *x = ramp(shape(4, 4), source), *out[2];
    assert_int_equal(tensor_set_requires_grad(x, true), OK);
    assert_int_equal(scatter(x, IDS, 2, 0, out), 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(shape_list(tensor_shape(out[i])).text, "[2, 4]");
        assert_int_equal(tensor_device(out[i]).index, i);
    }
    ASSERT_VALUES(tensor_select(out[1], 0, 0), 0, 8, 9, 10, 11);
    /* Only the piece that was used has a gradient. */
    assert_int_equal(tensor_backward(tensor_sum(out[0])), OK);
    Tensor *grad = tensor_grad(x);
    assert_true(device_equal(tensor_device(grad), tensor_device(x)));
    ASSERT_VALUES(grad, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void a_batch_may_come_from_anywhere(void **state)
{
    (void)state;
    check_scatter(device_cpu());
    check_scatter(device_cuda(0));
    check_scatter(device_cuda(3));
}

/* A piece that is already there is a view: nothing is copied for it. */
static void the_main_gpus_own_piece_is_a_view(void **state)
{
    (void)state;
    Tensor *x = ramp(shape(8, 2), device_cuda(0)), *out[4];
    Ledger mark = ledger_now();
    assert_int_equal(scatter(x, IDS, 4, 0, out), 4);
    Ledger done = ledger_since(&mark);
    assert_true(tensor_shares_storage(out[0], x));
    assert_int_equal(done.peer.n_copies, 3);
    assert_int_equal(done.peer.n_bytes, 3 * 2 * 2 * 4);
    assert_int_equal(done.device_to_device.n_copies, 0);
}

static void any_dim_can_be_cut(void **state)
{
    (void)state;
    Tensor *x = ramp(shape(2, 6), device_cpu()), *out[3];
    assert_int_equal(scatter(x, IDS, 3, 1, out), 3);
    ASSERT_VALUES(out[2], 0, 4, 5, 10, 11);
    ASSERT_VALUES(gather(out, 3, device_cuda(0), 1), 0, 0, 1, 2, 3, 4, 5, 6, 7,
                  8, 9, 10, 11);
    assert_int_equal(scatter(x, IDS, 3, -1, out), 3);
    ASSERT_VALUES(gather(out, 3, device_cuda(0), -1), 0, 0, 1, 2, 3, 4, 5, 6, 7,
                  8, 9, 10, 11);
}

static void check_gather(Device place)
{
    Tensor *pieces[2] = {ramp(shape(2, 4), device_cuda(0)),
                         ramp(shape(2, 4), device_cuda(1))};
    for (int i = 0; i < 2; i++)
        tensor_set_requires_grad(pieces[i], true);
    Tensor *whole = gather(pieces, 2, place, 0);
    assert_string_equal(shape_list(tensor_shape(whole)).text, "[4, 4]");
    assert_true(device_equal(tensor_device(whole), place));
    tensor_backward(tensor_sum(tensor_mul(whole, ramp(shape(4, 4), place))));
    ASSERT_VALUES(tensor_grad(pieces[1]), 0, 8, 9, 10, 11, 12, 13, 14, 15);
    assert_int_equal(tensor_device(tensor_grad(pieces[1])).index, 1);
}

static void outputs_are_gathered_anywhere(void **state)
{
    (void)state;
    check_gather(device_cuda(0));
    check_gather(device_cuda(1));
    check_gather(device_cpu());
}

static void scalars_become_a_vector_with_a_warning(void **state)
{
    (void)state;
    Tensor *pieces[2] = {
        tensor_full(FLOAT32, shape_scalar(), 3, device_cuda(0)),
        tensor_full(FLOAT32, shape_scalar(), 4, device_cuda(1))};
    WarnSink previous = warn_to(remember);
    Tensor *whole = gather(pieces, 2, device_cuda(0), 0);
    warn_to(previous);
    ASSERT_VALUES(whole, 0, 3, 4);
    assert_int_equal(tensor_dim(whole), 1);
    assert_string_equal(
        last_warning,
        "Was asked to gather along dimension 0, but all input tensors were "
        "scalars; will instead unsqueeze and return a vector.");
}

static void gather_refuses_in_pytorchs_words(void **state)
{
    (void)state;
    Tensor *pieces[2] = {ramp(shape(2, 5), device_cuda(0)),
                         ramp(shape(2, 4), device_cuda(1))};
    assert_null(gather(pieces, 2, device_cuda(0), 0));
    assert_failure(ERR_RUNTIME, "Input tensor at index 1 has invalid shape "
                                "[2, 4], but expected [2, 5]");
    pieces[1] = ramp(shape(2, 5), device_cpu());
    assert_null(gather(pieces, 2, device_cuda(0), 0));
    assert_failure(ERR_ASSERTION,
                   "Gather function not implemented for CPU tensors");
}

/* {"x": tensor, "rest": [tensor, 2.5, None]} */
static Tree *nested(int64_t rows)
{
    Tree *rest[] = {tree_tensor(ramp(shape(rows, 2), device_cpu())),
                    tree_number(2.5), tree_none()};
    Tree *both[] = {tree_tensor(ramp(shape(rows), device_cpu())),
                    tree_list(rest, 3)};
    return tree_dict((const char *[]){"x", "rest"}, both, 2);
}

static void structure_is_kept(void **state)
{
    (void)state;
    Tree *out[4];
    assert_int_equal(tree_scatter(nested(5), IDS, 4, 0, out), 3);
    Tree *rest = tree_get(out[2], "rest");
    ASSERT_VALUES(tree_as_tensor(tree_get(out[2], "x")), 0, 4);
    ASSERT_VALUES(tree_as_tensor(tree_at(rest, 0)), 0, 8, 9);
    assert_true(tree_as_number(tree_at(rest, 1)) == 2.5);
    assert_int_equal(tree_kind(tree_at(rest, 2)), TREE_NONE);
    Tree *whole = tree_gather(out, 3, device_cuda(1), 0);
    assert_int_equal(tree_kind(whole), TREE_DICT);
    ASSERT_VALUES(tree_as_tensor(tree_get(whole, "x")), 0, 0, 1, 2, 3, 4);
    assert_int_equal(tensor_device(tree_as_tensor(tree_get(whole, "x"))).index,
                     1);
}

/* Mixed batch sizes lose pieces: the fewest decide. */
static void the_shortest_branch_decides(void **state)
{
    (void)state;
    Tree *mixed[] = {tree_tensor(ramp(shape(8), device_cpu())),
                     tree_tensor(ramp(shape(2), device_cpu()))};
    Tree *out[4];
    assert_int_equal(tree_scatter(tree_list(mixed, 2), IDS, 4, 0, out), 2);
}

static void dicts_of_different_length_are_refused(void **state)
{
    (void)state;
    Tree *a[] = {tree_tensor(ramp(shape(1), device_cuda(0))),
                 tree_tensor(ramp(shape(1), device_cuda(0)))};
    Tree *b[] = {tree_tensor(ramp(shape(1), device_cuda(1)))};
    const char *names[] = {"a", "b"};
    Tree *pieces[] = {tree_dict(names, a, 2), tree_dict(names, b, 1)};
    assert_null(tree_gather(pieces, 2, device_cuda(0), 0));
    assert_failure(ERR_VALUE, "All dicts must have the same number of keys");
}

/* Also where the first list is the shorter one. */
static void lists_of_different_length_are_refused(void **state)
{
    (void)state;
    Tree *two[] = {tree_tensor(ramp(shape(1), device_cuda(0))),
                   tree_tensor(ramp(shape(1), device_cuda(0)))};
    Tree *one[] = {tree_tensor(ramp(shape(1), device_cuda(1)))};
    Tree *pieces[] = {tree_list(one, 1), tree_list(two, 2)};
    assert_null(tree_gather(pieces, 2, device_cuda(0), 0));
    assert_failure(ERR_VALUE, "All lists must have the same number of items");
}

/* A dim that does not exist is refused before anything is copied. */
static void gather_refuses_a_dim_that_is_not_there(void **state)
{
    (void)state;
    Tensor *piece = tensor_ones(FLOAT32, shape(2, 2), device_cuda(0));
    assert_null(gather((Tensor *[]){piece, piece}, 2, device_cuda(0), -5));
    assert_failure(ERR_INDEX, "Dimension out of range (expected to be in range "
                              "of [-2, 1], but got -5)");
}

static void nothing_cannot_be_gathered(void **state)
{
    (void)state;
    assert_null(gather(NULL, 0, device_cuda(0), 0));
    assert_int_equal(status_take(), ERR_RUNTIME);
    assert_string_equal(status_sentence(),
                        "Expected at least one tensor to gather from");
    assert_null(tree_gather(NULL, 0, device_cuda(0), 0));
    assert_int_equal(status_take(), ERR_RUNTIME);
}

static void scalars_have_no_second_dim(void **state)
{
    (void)state;
    Tensor *one = tensor_ones(FLOAT32, shape_scalar(), device_cuda(0));
    assert_null(gather((Tensor *[]){one, one}, 2, device_cuda(0), 1));
    assert_int_equal(status_take(), ERR_RUNTIME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCOPE(chunks_are_cut_as_torch_chunk_cuts),
        IN_SCOPE(a_batch_may_come_from_anywhere),
        IN_SCOPE(the_main_gpus_own_piece_is_a_view),
        IN_SCOPE(any_dim_can_be_cut),
        IN_SCOPE(outputs_are_gathered_anywhere),
        IN_SCOPE(scalars_become_a_vector_with_a_warning),
        IN_SCOPE(gather_refuses_in_pytorchs_words),
        IN_SCOPE(structure_is_kept),
        IN_SCOPE(the_shortest_branch_decides),
        IN_SCOPE(dicts_of_different_length_are_refused),
        IN_SCOPE(lists_of_different_length_are_refused),
        IN_SCOPE(gather_refuses_a_dim_that_is_not_there),
        IN_SCOPE(nothing_cannot_be_gathered),
        IN_SCOPE(scalars_have_no_second_dim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
